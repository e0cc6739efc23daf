import type { IncomingHttpHeaders } from 'node:http';
import { hasName, HEADER_VALUE } from './request-header-allowlist.js';

/** The client receives these headers under the second name (D4). */
const FORWARDED: ReadonlyMap<string, string> = new Map([
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
    const outName = FORWARDED.get(name) ?? (isForwarded(name) || (isFile && name === FILE_ONLY) ? name : null);
    if (outName === null || hasName(own, outName)) continue;
    // Uses the first value of a repeated header, because none of these headers is a list.
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && HEADER_VALUE.test(text)) forwarded.push(outName, text);
  }
  return forwarded;
}

const isForwarded = (name: string): boolean => FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));
