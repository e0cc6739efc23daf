import type { RouteSpec } from '../routes/route-spec.js';

const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'integer' } });
const seconds = (description: string) => ({ description, schema: { type: 'string', pattern: '^[0-9]+s$' } });

/** The gateway's own headers, as the components of the description. */
export const ANSWER_HEADERS = {
  'X-Request-Id': { description: 'Id of the request.', schema: { type: 'string', format: 'uuid' } },
  'X-GW-Client-Id': text("The client's own X-Request-Id, where it sent a well-formed one."),
  'X-GW-Latency': count('Milliseconds from the head of the request to the head of the answer.'),
  'X-GW-Model': text('The model that answered; left out where there is none.'),
  'X-GW-Key-Name': text('Name of the key, percent-encoded where it is not printable ASCII.'),
  'X-RateLimit-Limit-Requests': count('Requests a minute.'),
  'X-RateLimit-Remaining-Requests': count('Left in this minute.'),
  'X-RateLimit-Reset-Requests': seconds('Until the minute ends.'),
  'X-RateLimit-Limit-Day': count('Requests a day.'),
  'X-RateLimit-Remaining-Day': count('Left today.'),
  'X-RateLimit-Reset-Day': seconds('Until midnight, UTC.'),
  'X-RateLimit-Limit-Month': count('Requests a month; only where the key has such a limit.'),
  'X-RateLimit-Remaining-Month': count('Left this month; only where the key has such a limit.'),
  'X-RateLimit-Reset-Month': seconds('Until the month ends; only where the key has such a limit.'),
  'X-RateLimit-Limit-Tokens': count('Tokens a month; only where the key has such a limit.'),
  'X-RateLimit-Remaining-Tokens': count('Left this month; only where the key has such a limit.'),
  'X-RateLimit-Reset-Tokens': seconds('Until the month ends; only where the key has such a limit.'),
  'Retry-After': count('Seconds to wait before the next try.'),
  'X-GW-Upstream-Status': count('Status that the provider answered, where it answered at all.'),
  'Set-Cookie': text('The session cookie `gw_admin_session`: given, kept alive or taken away.'),
} as const;

type AnswerHeader = keyof typeof ANSWER_HEADERS;

const NAMES = Object.keys(ANSWER_HEADERS) as AnswerHeader[];
const NOT_OF_GATEWAY: readonly AnswerHeader[] = ['Retry-After', 'X-GW-Upstream-Status', 'Set-Cookie'];
const ON_SUCCESS: Readonly<Record<RouteSpec['kind'], readonly AnswerHeader[]>> = {
  gateway: NAMES.filter((name) => !NOT_OF_GATEWAY.includes(name)),
  admin: ['X-Request-Id'],
  dashboard: ['X-Request-Id', 'Set-Cookie'],
  public: ['X-Request-Id'],
};
const ON_ERROR: Readonly<Record<number, readonly AnswerHeader[]>> = {
  429: ['Retry-After'],
  502: ['X-GW-Upstream-Status', 'Retry-After'],
  503: ['Retry-After'],
};

/** The headers that an answer of this status may carry on this kind of route. */
export function headersOf(kind: RouteSpec['kind'], status: number): readonly AnswerHeader[] {
  if (status >= 400) return ['X-Request-Id', ...(ON_ERROR[status] ?? [])];
  return ON_SUCCESS[kind];
}
