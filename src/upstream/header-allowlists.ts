import type { IncomingHttpHeaders } from 'node:http';
import type { Api } from '../platform/config/upstreams/upstreams-file.js';

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

interface RequestHeadersOf {
  /** Includes other headers of the account. They replace client headers of the same name. */
  readonly credential: readonly string[];
  readonly api: Api;
  /** These replace client headers of the same name. Names are lower-case. */
  readonly own?: Readonly<Record<string, string>> | undefined;
}

/** Returns a flat list of lower-case names and values. */
export function upstreamRequestHeaders(
  incoming: IncomingHttpHeaders,
  { credential, api, own }: RequestHeadersOf,
): string[] {
  const headers: string[] = [];
  for (const name of FORWARDED_REQUEST_HEADERS) {
    if (hasName(credential, name)) continue;
    const set = own?.[name];
    if (set !== undefined) headers.push(name, set);
    const value = set === undefined ? incoming[name] : undefined;
    if (typeof value === 'string' && HEADER_VALUE.test(value)) headers.push(name, value);
  }
  if (own !== undefined) pushOthers(headers, own);
  if (api === 'anthropic' && !hasName(headers, MESSAGES_VERSION[0]) && !hasName(credential, MESSAGES_VERSION[0]))
    headers.push(...MESSAGES_VERSION);
  // A compressed stream could not be metered or forwarded event by event.
  headers.push('accept-encoding', 'identity', ...credential);
  return headers;
}

function pushOthers(headers: string[], own: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(own)) {
    if (!/^[a-z0-9-]+$/.test(name) || RESERVED.has(name)) throw new Error(`A route must not set the header ${name}`);
    if (!FORWARDED_REQUEST_HEADERS.some((known) => known === name)) headers.push(name, value);
  }
}

/** undici and Node throw on all other values. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function hasName(flat: readonly string[], name: string): boolean {
  for (let at = 0; at < flat.length; at += 2) if (flat[at] === name) return true;
  return false;
}

/** The client receives these headers under the second name (D4). */
const FORWARDED_RESPONSE_HEADERS: ReadonlyMap<string, string> = new Map([
  ...[
    'content-type',
    'cache-control',
    'x-quota-allowed',
    'x-quota-available',
    'x-quota-reset',
    'x-ratelimit-limit-requests',
    'x-ratelimit-limit-tokens',
    'x-ratelimit-remaining-requests',
    'x-ratelimit-remaining-tokens',
    'x-ratelimit-reset-requests',
    'x-ratelimit-reset-tokens',
    'retry-after',
    'request-id',
    'openai-processing-ms',
    'openai-model',
    'openai-version',
    'x-openrouter-model',
    'x-cache',
    'cf-cache-status',
    'cf-ray',
  ].map((name) => [name, name] as const),
  ['x-request-id', 'x-gw-upstream-request-id'],
]);
/** The file name for a download. */
const FILE_ONLY = 'content-disposition';
const FORWARDED_PREFIXES = ['anthropic-ratelimit-', 'x-ratelimit-remaining-tokens-'] as const;

/** Returns a flat list of lower-case names and values. `own` headers take precedence (D4). */
export function forwardedResponseHeaders(
  upstream: IncomingHttpHeaders,
  own: readonly string[],
  isFile = false,
): string[] {
  const forwarded: string[] = [];
  for (const name in upstream) {
    const value = upstream[name];
    const outName =
      FORWARDED_RESPONSE_HEADERS.get(name) ?? (isForwarded(name) || (isFile && name === FILE_ONLY) ? name : null);
    if (outName === null || hasName(own, outName)) continue;
    // Uses the first value of a repeated header, because none of these headers is a list.
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && HEADER_VALUE.test(text)) forwarded.push(outName, text);
  }
  return forwarded;
}

const isForwarded = (name: string): boolean => FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));
