import type { IncomingHttpHeaders } from 'node:http';
import { hasName, HEADER_VALUE } from './request-header-allowlist.js';

/** Forwarded upstream headers, with the names under which the client receives them (D4). */
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
/** Forwarded only with the content of a file: the file name for a download. */
const OF_FILES = 'content-disposition';
const FORWARDED_PREFIXES = ['anthropic-ratelimit-', 'x-ratelimit-remaining-tokens-'] as const;

/**
 * Returns the upstream headers that are forwarded to the client, as a flat list of lower-case names and values. An allowlist
 * excludes hop-by-hop and unexpected headers. It also excludes `content-length`, which the writer of the body sets.
 * @param upstream as undici parsed them: lower-case names, latin1 values
 * @param own the gateway's own headers, a flat list with lower-case names; they take precedence (D4)
 */
export function forwardedResponseHeaders(
  upstream: IncomingHttpHeaders,
  own: readonly string[],
  isFile = false,
): string[] {
  const forwarded: string[] = [];
  for (const name in upstream) {
    const value = upstream[name];
    const outName = FORWARDED.get(name) ?? (isForwarded(name) || (isFile && name === OF_FILES) ? name : null);
    if (outName === null || hasName(own, outName)) continue;
    // The first value of a repeated header counts, because none of these headers is a list.
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && HEADER_VALUE.test(text)) forwarded.push(outName, text);
  }
  return forwarded;
}

const isForwarded = (name: string): boolean => FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));
