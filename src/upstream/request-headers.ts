import type { IncomingHttpHeaders } from 'node:http';

/**
 * All that goes upstream of a client's headers (D6); everything else stays here, credentials and cookies first of all.
 * `content-length` goes too: undici writes it from the body.
 */
const FORWARDED = [
  'accept',
  'content-type',
  'openai-beta',
  'anthropic-version',
  'anthropic-beta',
  'idempotency-key',
  'traceparent',
  'tracestate',
  'user-agent',
] as const;

/** What undici takes as a header's value. One that it refuses would cost a connection of the pool for good. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers of an upstream request, a flat list of lower-case names and values.
 * @param incoming the client's, as Node parsed them
 * @param apiKey the account's credential; null: the upstream wants none
 */
export function upstreamRequestHeaders(incoming: IncomingHttpHeaders, apiKey: string | null): string[] {
  const headers: string[] = [];
  for (const name of FORWARDED) {
    const value = incoming[name];
    if (typeof value === 'string' && HEADER_VALUE.test(value)) headers.push(name, value);
  }
  // A compressed stream could be neither metered nor passed on event by event.
  headers.push('accept-encoding', 'identity');
  if (apiKey !== null) headers.push('authorization', `Bearer ${apiKey}`);
  return headers;
}
