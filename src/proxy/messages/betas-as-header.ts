import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../../request-context/request-context.js';
import { HEADER_VALUE } from '../../upstream/flat-headers.js';
import type { ForwardPlan } from '../forward-plan.js';
import { cutTopLevelMembers } from '../json-members.js';

const BETAS = 'betas';
const HEADER = 'anthropic-beta';
const AS_IT_CAME: ForwardPlan = {};

/**
 * How a message goes upstream (D6): byte for byte; a member `betas` is cut out of the body and its names go into the
 * header, behind the client's own ones and without repeats (D30).
 * @param ctx its body has passed the rules of `MessageRequest`
 */
export function betasAsHeader({ body, json }: RequestContext, headers: IncomingHttpHeaders): ForwardPlan {
  if (body === null || json === null || !Object.hasOwn(json, BETAS)) return AS_IT_CAME;
  const names = mergeBetas(headers[HEADER], (json[BETAS] as string[] | null) ?? []);
  return {
    body: cutTopLevelMembers(body, [BETAS]),
    ...(names.length > 0 && { headers: { [HEADER]: names.join(',') } }),
  };
}

function mergeBetas(header: string | string[] | undefined, fromBody: readonly string[]): string[] {
  const own = typeof header === 'string' && HEADER_VALUE.test(header) ? [header] : [];
  const names = [...own, ...fromBody].flatMap((list) => list.split(',')).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}
