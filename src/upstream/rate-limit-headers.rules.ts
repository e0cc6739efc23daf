type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Below this share of a limit, requests move to other upstreams, in proportion. */
const SCARCE = 0.1;

/** Names of a limit and of what remains of it. OpenAI, Azure and Groq use the first two, Anthropic the others. */
const LIMITS = [
  ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests'],
  ['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens'],
  ['anthropic-ratelimit-requests-limit', 'anthropic-ratelimit-requests-remaining'],
  ['anthropic-ratelimit-tokens-limit', 'anthropic-ratelimit-tokens-remaining'],
  ['anthropic-ratelimit-input-tokens-limit', 'anthropic-ratelimit-input-tokens-remaining'],
  ['anthropic-ratelimit-output-tokens-limit', 'anthropic-ratelimit-output-tokens-remaining'],
] as const;

/** Returns 1 if no limit is scarce, otherwise the share of requests that the upstream should get, down to 0.01. */
export function remainingShare(headers: Headers): number {
  let lowest = 1;
  for (const [limitName, remainingName] of LIMITS) {
    if (headers[remainingName] === undefined) continue;
    const limit = numberOf(headers[limitName]);
    const remaining = numberOf(headers[remainingName]);
    if (limit === null || remaining === null || limit === 0) continue;
    lowest = Math.min(lowest, remaining / limit / SCARCE);
  }
  return Math.max(lowest, SCARCE / 10);
}

function numberOf(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) return null;
  return Number(value);
}

/** Reads `Retry-After` in seconds or as a date, and `retry-after-ms`. @returns null if absent or unusable */
export function retryAfterMsOf(headers: Headers, nowMs = Date.now()): number | null {
  const ms = numberOf(headers['retry-after-ms']);
  if (ms !== null) return ms;
  const text = headers['retry-after'];
  if (typeof text !== 'string') return null;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
