import type { QuotaFigures, WindowFigures } from '../../platform/request-context/key-snapshot.js';

// Created once, because Node checks every character of a header name that is a new string.
const namesFor = (window: string) => ({
  limit: `x-ratelimit-limit-${window}`,
  remaining: `x-ratelimit-remaining-${window}`,
  reset: `x-ratelimit-reset-${window}`,
});
const MINUTE = namesFor('requests');
const DAY = namesFor('day');
const MONTH = namesFor('month');
const TOKENS = namesFor('tokens');
export const RATE_LIMIT_HEADERS: readonly string[] = [MINUTE, DAY, MONTH, TOKENS].flatMap((names) =>
  Object.values(names),
);

/** Appends `X-RateLimit-*` (D4) to a flat list of names and values. Month and token headers are added only if they are limited. */
export function pushRateLimits(headers: string[], figures: QuotaFigures): void {
  const { nowMs } = figures;
  pushWindow(headers, MINUTE, figures.minute, nowMs);
  pushWindow(headers, DAY, figures.day, nowMs);
  if (figures.month.limit !== null) pushWindow(headers, MONTH, figures.month, nowMs);
  if (figures.tokens.limit !== null) pushWindow(headers, TOKENS, figures.tokens, nowMs);
}

function pushWindow(
  headers: string[],
  names: ReturnType<typeof namesFor>,
  { limit, used, resetsAtMs }: WindowFigures<number | null>,
  nowMs: number,
): void {
  const effectiveLimit = limit ?? 0;
  headers.push(names.limit, String(effectiveLimit), names.remaining, String(Math.max(0, effectiveLimit - used)));
  headers.push(names.reset, `${Math.ceil((resetsAtMs - nowMs) / 1000)}s`);
}
