import { invalidValue } from '../../errors/catalogue.js';
import { hasLength } from '../../validation/characters.js';
import { isObject, type Kind } from '../../validation/check.js';
import { mapOf } from '../../validation/compound-kinds.js';
import { string } from '../../validation/scalar-kinds.js';

const PAIRS_MAX = 16;
/** Characters (code points). */
const KEY_MAX = 64;
const VALUE_MAX = 512;

const texts = mapOf(string({ max: VALUE_MAX }));

/** `metadata` of a response: at most 16 texts by name. A wrong value is told at `metadata.KEY`, all else at `metadata`. */
export const responseMetadata: Kind = {
  check: (value, param, mode) => {
    if (isObject(value)) {
      const names = Object.keys(value);
      if (names.length > PAIRS_MAX) return invalidValue(param, `an object of at most ${PAIRS_MAX} pairs`);
      if (!names.every((name) => hasLength(name, 0, KEY_MAX)))
        return invalidValue(param, `an object whose keys have at most ${KEY_MAX} characters`);
    }
    return texts.check(value, param, mode);
  },
  schema: { ...texts.schema, maxProperties: PAIRS_MAX, propertyNames: { maxLength: KEY_MAX } },
};
