import type { IncomingHttpHeaders } from 'node:http';
import type { Api } from '../platform/config/upstreams/upstreams-file.js';
import { HEADER_VALUE, hasName } from './flat-headers.js';

/** Client headers that are forwarded (D6). undici sets `content-length`; the forwarder does so for a streamed body. */
const FORWARDED_REQUEST_HEADERS = [
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

/** Sent if the client sends none, because the provider requires it (D27). */
const MESSAGES_VERSION = ['anthropic-version', '2023-06-01'] as const;

/** A route must not set these: they would break the request framing or select another account. */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'accept-encoding',
]);

interface HeaderSources {
  /** The credential and other headers of the account. They replace client headers of the same name. */
  readonly accountHeaders: readonly string[];
  readonly api: Api;
  /** Headers that the route sets. They replace client headers of the same name. Names are lower-case. */
  readonly routeHeaders?: Readonly<Record<string, string>> | undefined;
}

/** Returns a flat list of lower-case names and values. */
export function upstreamRequestHeaders(
  incoming: IncomingHttpHeaders,
  { accountHeaders, api, routeHeaders }: HeaderSources,
): string[] {
  const headers: string[] = [];
  for (const name of FORWARDED_REQUEST_HEADERS) {
    if (hasName(accountHeaders, name)) continue;
    const set = routeHeaders?.[name];
    if (set !== undefined) headers.push(name, set);
    const value = set === undefined ? incoming[name] : undefined;
    if (typeof value === 'string' && HEADER_VALUE.test(value)) headers.push(name, value);
  }
  if (routeHeaders !== undefined) pushOthers(headers, routeHeaders);
  if (api === 'anthropic' && !hasName(headers, MESSAGES_VERSION[0]) && !hasName(accountHeaders, MESSAGES_VERSION[0]))
    headers.push(...MESSAGES_VERSION);
  // A compressed stream could not be metered or forwarded event by event.
  headers.push('accept-encoding', 'identity', ...accountHeaders);
  return headers;
}

/** Adds the headers that clients cannot set. */
function pushOthers(headers: string[], routeHeaders: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(routeHeaders)) {
    if (!/^[a-z0-9-]+$/.test(name) || RESERVED.has(name)) throw new Error(`A route must not set the header ${name}`);
    if (!FORWARDED_REQUEST_HEADERS.some((known) => known === name)) headers.push(name, value);
  }
}
