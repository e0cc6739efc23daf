import { invalidValue } from '../../errors/catalogue.js';
import type { Kind } from '../../validation/check.js';
import { arrayOf } from '../../validation/compound-kinds.js';
import { string } from '../../validation/scalar-kinds.js';

/** Characters of all names together: they travel as one header, and no server takes heads of any length. */
const BETAS_CHARACTERS_MAX = 8_192;

const names = arrayOf(string({ pattern: /^[\x20-\x7e]*$/, expected: 'printable ASCII characters, fit for a header' }));

/** `betas`: names of features to be switched on, sent on as a header (D6). */
export const betas: Kind = {
  check: (value, param, mode) => {
    const violation = names.check(value, param, mode);
    if (violation !== null) return violation;
    const characters = (value as string[]).reduce((sum, name) => sum + name.length, 0);
    return characters > BETAS_CHARACTERS_MAX
      ? invalidValue(param, `at most ${BETAS_CHARACTERS_MAX} characters together`)
      : null;
  },
  schema: names.schema,
};
