import type { IncomingHttpHeaders } from 'node:http';
import { hasName, HEADER_VALUE } from './request-header-allowlist.js';

/** Names under which upstream headers go out; two differ from the upstream's own (D4). */
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
/** Under what name it is to be kept: of the content of a file only. */
const OF_FILES = 'content-disposition';
const FORWARDED_PREFIXES = ['anthropic-ratelimit-', 'x-ratelimit-remaining-tokens-'] as const;

/**
 * The upstream's headers that go out to the client: a flat list of lower-case names and values, an allowlist, so that
 * hop-by-hop names and surprises stay behind. `content-length` is not among them: whoever writes the body knows it.
 * @param upstream as undici gave them: lower-case names, values in latin1
 * @param own the gateway's own headers, a flat list of lower-case names; where a name is there already, own stands (D4)
 * @param isFile the answer is the content of a file
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
    // Of a name that came twice the first counts: none of these is a list.
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && HEADER_VALUE.test(text)) forwarded.push(outName, text);
  }
  return forwarded;
}

const isForwarded = (name: string): boolean => FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));
