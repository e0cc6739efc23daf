import type { StoredCounts } from './stored-counts.js';
import type { QuotaLimits } from './verdict.rules.js';
import { dayOf, minuteOf, monthOf } from './windows.js';

/** Keys whose state was read or confirmed within it before the store went away are known (D22). */
export const KNOWN_FOR_MS = 600_000;

/**
 * What the store would hold now, had nobody else counted since.
 * @param seen as the store last told
 * @param admitted requests counted on top of that
 * @param nowMs by the store's clock
 */
export function countsAt(seen: StoredCounts, admitted: number, nowMs: number): StoredCounts {
  const [minute, day, month] = [minuteOf(nowMs), dayOf(nowMs), monthOf(nowMs)];
  const keeps = { minute: isKept(seen.minute, minute), day: isKept(seen.day, day), month: isKept(seen.month, month) };
  return {
    version: seen.version,
    nowMs,
    minute: keeps.minute ? seen.minute : minute,
    minuteUsed: keeps.minute ? seen.minuteUsed + admitted : 0,
    day: keeps.day ? seen.day : day,
    dayUsed: keeps.day ? seen.dayUsed + admitted : 0,
    month: keeps.month ? seen.month : month,
    monthUsed: keeps.month ? seen.monthUsed + admitted : 0,
    tokens: keeps.month ? seen.tokens : 0,
  };
}

/** How many of `asked` requests pass: all windows of a key or none, as the store's own statement has it. */
export function grantedOf(counts: StoredCounts, limits: QuotaLimits, asked: number): number {
  const { rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit } = limits;
  if (monthlyTokenLimit !== null && counts.tokens >= monthlyTokenLimit) return 0;
  const monthLeft = monthlyLimit === null ? Infinity : monthlyLimit - counts.monthUsed;
  return Math.max(0, Math.min(asked, rpmLimit - counts.minuteUsed, rpdLimit - counts.dayUsed, monthLeft));
}

/** A window is kept if it is this one or the next (a clock put back), else it begins anew. */
const isKept = (seen: number, now: number): boolean => seen === now || seen === now + 1;
