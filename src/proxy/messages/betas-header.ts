import type { IncomingHttpHeaders } from 'node:http';
import { invalidValue } from '../../platform/errors/error-factories.js';
import { removeTopLevelFields } from '../../platform/json/top-level-fields.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import type { Kind } from '../../platform/validation/check.js';
import { arrayOf } from '../../platform/validation/compound-kinds.js';
import { string } from '../../platform/validation/scalar-kinds.js';
import { HEADER_VALUE } from '../../upstream/flat-headers.js';
import type { ForwardPlan } from '../forward-plan.js';

/** The names are sent as one header, and servers limit the size of headers. */
const BETAS_CHARACTERS_MAX = 8_192;

const names = arrayOf(string({ pattern: /^[\x20-\x7e]*$/, expected: 'printable ASCII characters' }));

/** The `betas` field of a request for Messages. */
export const betas: Kind = {
  check: (value, param, mode) => {
    const violation = names.check(value, param, mode);
    if (violation !== null) return violation;
    const characters = (value as string[]).reduce((sum, name) => sum + name.length, 0);
    return characters > BETAS_CHARACTERS_MAX
      ? invalidValue(param, `at most ${BETAS_CHARACTERS_MAX} characters in total`)
      : null;
  },
  schema: names.schema,
};

const BETAS = 'betas';
const HEADER = 'anthropic-beta';
const UNCHANGED: ForwardPlan = {};

/**
 * Moves `betas` to the `anthropic-beta` header, after the client's own values (D6, D30). Only
 * `GW_VALIDATION=provider` accepts invalid `betas`. They stay in the body, and the provider reports the error.
 */
export function betasAsHeader({ body }: RequestContext, headers: IncomingHttpHeaders): ForwardPlan {
  const { bytes, json } = body;
  if (bytes === null || json === null || !Object.hasOwn(json, BETAS)) return UNCHANGED;
  const given = json[BETAS] ?? [];
  if (betas.check(given, BETAS, { lenient: false }) !== null) return UNCHANGED;
  const names = mergeBetas(headers[HEADER], given as string[]);
  const bodyWithoutBetas = removeTopLevelFields(bytes, [BETAS]);
  return names.length === 0
    ? { body: bodyWithoutBetas }
    : { body: bodyWithoutBetas, headers: { [HEADER]: names.join(',') } };
}

function mergeBetas(header: string | string[] | undefined, fromBody: readonly string[]): string[] {
  const own = typeof header === 'string' && HEADER_VALUE.test(header) ? [header] : [];
  const names = [...own, ...fromBody].flatMap((list) => list.split(',')).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}
