/** Until the first retry (D20). */
const FIRST_MS = 10_000;
const FACTOR = 3;
const PAUSE_MS_MAX = 4 * 3_600_000;
/** How long one delivery is tried, from its first attempt: 11 or 12 retries. */
const ROUND_MS = 24 * 3_600_000;
/** Added at random up to this share, so that what failed at once does not come back at once. */
const JITTER = 0.1;

/**
 * When to try again, in milliseconds from now; null: not any more.
 * @param failures of this round, the last one counted: 1 or more
 * @param sinceFirstMs from the first attempt of the round until now
 * @param random 0 to 1
 */
export function pauseAfter(failures: number, sinceFirstMs: number, random: number): number | null {
  const pauseMs = Math.min(FIRST_MS * FACTOR ** (failures - 1), PAUSE_MS_MAX) * (1 + JITTER * random);
  return sinceFirstMs + pauseMs > ROUND_MS ? null : Math.round(pauseMs);
}
