/** A limit of a provider that is exhausted separately from others. */
export type Limit = 'requests' | 'tokens' | 'input_tokens' | 'output_tokens';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Below this share of a limit, requests move to other upstreams, in proportion. */
const SCARCE = 0.1;

interface LimitHeaders {
  readonly of: Limit;
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

const openAi = (of: Limit): LimitHeaders => ({
  of,
  limit: `x-ratelimit-limit-${of}`,
  remaining: `x-ratelimit-remaining-${of}`,
  reset: `x-ratelimit-reset-${of}`,
});

function anthropic(of: Limit): LimitHeaders {
  const name = `anthropic-ratelimit-${of.replace('_', '-')}`;
  return { of, limit: `${name}-limit`, remaining: `${name}-remaining`, reset: `${name}-reset` };
}

/** OpenAI, Azure and Groq use the first two, Anthropic the others. */
const LIMITS: readonly LimitHeaders[] = [
  openAi('requests'),
  openAi('tokens'),
  anthropic('requests'),
  anthropic('tokens'),
  anthropic('input_tokens'),
  anthropic('output_tokens'),
];

/** Returns 1 if no limit is scarce, otherwise the share of requests that the upstream should get, down to 0.01. */
export function remainingShare(headers: Headers): number {
  let lowest = 1;
  for (const { limit: limitName, remaining: remainingName } of LIMITS) {
    if (headers[remainingName] === undefined) continue;
    const limit = numberOf(headers[limitName]);
    const remaining = numberOf(headers[remainingName]);
    if (limit === null || remaining === null || limit === 0) continue;
    lowest = Math.min(lowest, remaining / limit / SCARCE);
  }
  return Math.max(lowest, SCARCE / 10);
}

/** The limits of which nothing remains. */
export const exhaustedLimits = (headers: Headers): Limit[] => [
  ...new Set(LIMITS.filter(({ remaining }) => numberOf(headers[remaining]) === 0).map(({ of }) => of)),
];

/**
 * The pause that the provider asks for. `Retry-After` applies to all limits. Without it, the limit's own reset header does.
 * @returns null if absent or unusable
 */
export function askedPauseMs(headers: Headers, limit: Limit | null, nowMs = Date.now()): number | null {
  const asked = retryAfterMsOf(headers, nowMs);
  if (asked !== null || limit === null) return asked;
  for (const { of, reset } of LIMITS) {
    const ms = of === limit ? resetMsOf(headers[reset], nowMs) : null;
    if (ms !== null) return ms;
  }
  return null;
}

/** Reads `Retry-After` in seconds or as a date, and `retry-after-ms`. @returns null if absent or unusable */
export function retryAfterMsOf(headers: Headers, nowMs = Date.now()): number | null {
  const ms = numberOf(headers['retry-after-ms']);
  if (ms !== null) return ms;
  const text = headers['retry-after'];
  if (typeof text !== 'string') return null;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  return untilMs(text, nowMs);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd])){1,5}$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|[smhd])/g;

/** OpenAI's durations, such as `6m0s` and `20ms`, and Anthropic's dates. */
function resetMsOf(text: string | string[] | undefined, nowMs: number): number | null {
  if (typeof text !== 'string') return null;
  if (!DURATION.test(text)) return untilMs(text, nowMs);
  const parts = [...text.matchAll(DURATION_PART)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0);
}

function untilMs(date: string, nowMs: number): number | null {
  const atMs = Date.parse(date);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function numberOf(value: string | string[] | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) return null;
  return Number(value);
}
