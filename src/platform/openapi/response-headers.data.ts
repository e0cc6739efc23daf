import type { RouteSpec } from '../routes/route-spec.js';

const text = (description: string) => ({ description, schema: { type: 'string' } });
const count = (description: string) => ({ description, schema: { type: 'integer' } });
const seconds = (description: string) => ({ description, schema: { type: 'string', pattern: '^[0-9]+s$' } });

export const RESPONSE_HEADERS = {
  'X-Request-Id': { description: 'Request ID.', schema: { type: 'string', format: 'uuid' } },
  'X-GW-Client-Id': text("The client's own `X-Request-Id`, if the request had a valid one."),
  'X-GW-Latency': count('Milliseconds from the request headers to the response headers.'),
  'X-GW-Cost': {
    description: 'Cost of the request in dollars. Only with `GW_COST_HEADER=true`, on responses that are not streamed.',
    schema: { type: 'string', pattern: '^[0-9]+(\\.[0-9]{1,9})?$' },
  },
  'X-GW-Model': text('Model that responded, if any.'),
  'X-GW-Key-Name': text('Name of the API key. Characters outside printable ASCII are percent-encoded.'),
  'X-RateLimit-Limit-Requests': count('Request limit per minute.'),
  'X-RateLimit-Remaining-Requests': count('Requests left in this minute.'),
  'X-RateLimit-Reset-Requests': seconds('Seconds until the next minute.'),
  'X-RateLimit-Limit-Day': count('Request limit per day.'),
  'X-RateLimit-Remaining-Day': count('Requests left today.'),
  'X-RateLimit-Reset-Day': seconds('Seconds until midnight UTC.'),
  'X-RateLimit-Limit-Month': count('Monthly request quota. Only for keys with such a quota.'),
  'X-RateLimit-Remaining-Month': count('Requests left this month. Only for keys with such a quota.'),
  'X-RateLimit-Reset-Month': seconds('Seconds until the month ends. Only for keys with such a quota.'),
  'X-RateLimit-Limit-Tokens': count('Monthly token limit. Only for keys with such a limit.'),
  'X-RateLimit-Remaining-Tokens': count('Tokens left this month. Only for keys with such a limit.'),
  'X-RateLimit-Reset-Tokens': seconds('Seconds until the month ends. Only for keys with such a limit.'),
  'Retry-After': count('Seconds to wait before a retry.'),
  'X-GW-Upstream-Status': count("Status of the provider's response. Absent if the provider did not respond."),
  'Set-Cookie': text(
    'The session cookie, set, extended or cleared: `__Host-gw_admin_session` over HTTPS, otherwise `gw_admin_session`.',
  ),
} as const;

type ResponseHeader = keyof typeof RESPONSE_HEADERS;

const NAMES = Object.keys(RESPONSE_HEADERS) as ResponseHeader[];
const NOT_ON_GATEWAY_SUCCESS: readonly ResponseHeader[] = ['Retry-After', 'X-GW-Upstream-Status', 'Set-Cookie'];
const ON_SUCCESS: Readonly<Record<RouteSpec['kind'], readonly ResponseHeader[]>> = {
  gateway: NAMES.filter((name) => !NOT_ON_GATEWAY_SUCCESS.includes(name)),
  admin: ['X-Request-Id'],
  dashboard: ['X-Request-Id', 'Set-Cookie'],
  public: ['X-Request-Id'],
};
const ON_ERROR: Readonly<Record<number, readonly ResponseHeader[]>> = {
  429: ['Retry-After'],
  502: ['X-GW-Upstream-Status', 'Retry-After'],
  503: ['Retry-After'],
};

export function headersOf(kind: RouteSpec['kind'], status: number): readonly ResponseHeader[] {
  if (status >= 400) return ['X-Request-Id', ...(ON_ERROR[status] ?? [])];
  return ON_SUCCESS[kind];
}
