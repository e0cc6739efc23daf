import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../../request-context/request-context.js';
import { HEADER_VALUE } from '../../upstream/flat-headers.js';
import type { ForwardPlan } from '../forward-plan.js';
import { removeTopLevelMembers } from '../../json/top-level-members.js';
import { betas } from './betas.rules.js';

const BETAS = 'betas';
const HEADER = 'anthropic-beta';
const AS_IT_CAME: ForwardPlan = {};

/**
 * Moves `betas` from the body of a message to the `anthropic-beta` header (D6): after the client's own values, without
 * repeats (D30). All other bytes of the body stay. A `betas` that cannot become a header stays in the body, where the
 * provider reports it; `GW_VALIDATION=provider` is the only setting that lets one through.
 */
export function betasAsHeader({ body, json }: RequestContext, headers: IncomingHttpHeaders): ForwardPlan {
  if (body === null || json === null || !Object.hasOwn(json, BETAS)) return AS_IT_CAME;
  const given = json[BETAS] ?? [];
  if (betas.check(given, BETAS, { lenient: false }) !== null) return AS_IT_CAME;
  const names = mergeBetas(headers[HEADER], given as string[]);
  return {
    body: removeTopLevelMembers(body, [BETAS]),
    ...(names.length > 0 && { headers: { [HEADER]: names.join(',') } }),
  };
}

function mergeBetas(header: string | string[] | undefined, fromBody: readonly string[]): string[] {
  const own = typeof header === 'string' && HEADER_VALUE.test(header) ? [header] : [];
  const names = [...own, ...fromBody].flatMap((list) => list.split(',')).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}
