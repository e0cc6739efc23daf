import type { IncomingHttpHeaders } from 'node:http';
import type { UpstreamName } from './account.js';

/**
 * All that goes upstream of a client's headers (D6); everything else stays here, credentials and cookies first of all.
 * `content-length` goes too: undici writes it from the body; with a streamed one the forwarder adds the client's.
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

/** A vendor demands it (D27). */
const MESSAGES_VERSION = ['anthropic-version', '2023-06-01'] as const;

/** Names that would break the framing of the request or stand for another account. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['authorization', 'x-api-key', 'host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'],
  ...['upgrade', 'expect', 'te', 'trailer', 'accept-encoding'],
]);

interface RequestHeadersOf {
  /** The account's, a flat list of names and values. */
  readonly credential: readonly string[];
  readonly upstream: UpstreamName;
  /** The gateway's own, in place of the client's of the same name; lower-case names. */
  readonly own?: Readonly<Record<string, string>> | undefined;
}

/**
 * The headers of an upstream request, a flat list of lower-case names and values.
 * @param incoming the client's, as Node parsed them
 */
export function upstreamRequestHeaders(
  incoming: IncomingHttpHeaders,
  { credential, upstream, own }: RequestHeadersOf,
): string[] {
  const headers: string[] = [];
  for (const name of FORWARDED) {
    const set = own?.[name];
    if (set !== undefined) headers.push(name, set);
    const value = set === undefined ? incoming[name] : undefined;
    if (typeof value === 'string' && HEADER_VALUE.test(value)) headers.push(name, value);
  }
  if (own !== undefined) pushOthers(headers, own);
  if (upstream === 'messages' && !hasName(headers, MESSAGES_VERSION[0])) headers.push(...MESSAGES_VERSION);
  // A compressed stream could be neither metered nor passed on event by event.
  headers.push('accept-encoding', 'identity', ...credential);
  return headers;
}

function pushOthers(headers: string[], own: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(own)) {
    if (!/^[a-z0-9-]+$/.test(name) || RESERVED.has(name)) throw new Error(`${name} is not a route's to set`);
    if (!FORWARDED.some((known) => known === name)) headers.push(name, value);
  }
}

/** What undici and Node take as a header's value; anything else they throw at. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a flat list of lower-case names and values has this name; its values are not looked at. */
export function hasName(flat: readonly string[], name: string): boolean {
  for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return true;
  return false;
}
