import type { IncomingHttpHeaders } from 'node:http';
import { containsSecret } from './credentials.js';
import { HEADER_VALUE, hasName } from './flat-headers.js';

/** The client receives these headers (D4). */
const FORWARDED_RESPONSE_HEADERS: ReadonlySet<string> = new Set([
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
  'x-request-id',
]);
/** The gateway's own request ID has this name, so the provider's ID gets another. */
const REQUEST_ID = 'x-request-id';
const UPSTREAM_REQUEST_ID = 'x-gw-upstream-request-id';
/** The file name for a download. */
const FILE_ONLY = 'content-disposition';
const FORWARDED_PREFIXES = ['anthropic-ratelimit-', 'x-ratelimit-remaining-tokens-'] as const;

/** Returns a flat list of lower-case names and values. The gateway's `own` headers take precedence (D4). */
export function forwardedResponseHeaders(
  upstream: IncomingHttpHeaders,
  own: readonly string[],
  isFile = false,
): string[] {
  const forwarded: string[] = [];
  for (const name in upstream) {
    const value = upstream[name];
    if (!isForwarded(name) && !(isFile && name === FILE_ONLY)) continue;
    const outName = name === REQUEST_ID ? UPSTREAM_REQUEST_ID : name;
    if (hasName(own, outName)) continue;
    // Uses the first value of a repeated header, because none of these headers is a list.
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && HEADER_VALUE.test(text)) forwarded.push(outName, text);
  }
  return forwarded;
}

const isForwarded = (name: string): boolean =>
  FORWARDED_RESPONSE_HEADERS.has(name) || FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** Deletes response headers that contain a secret, because a provider can echo request headers. */
export function dropEchoes(headers: IncomingHttpHeaders, secrets: readonly string[]): void {
  for (const name in headers) {
    if (containsSecret(String(headers[name]), secrets)) delete headers[name];
  }
}
