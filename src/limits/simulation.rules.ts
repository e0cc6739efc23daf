import type { LimitPeriod } from './limit-terms.data.js';

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 7;

/** Usage of one UTC day. */
export interface UsageDay {
  readonly startMs: number;
  /** A whole day, or for today, the elapsed part. */
  readonly lengthMs: number;
  /** In the unit of the limit. */
  readonly units: number;
  readonly requests: number;
}

export interface SimulatedPeriod {
  readonly startMs: number;
  readonly endMs: number;
  /** Usage in the unit of the limit. It can exceed the amount. */
  readonly used: number;
  /** The time at which the amount would have been reached. Null: not in this period. */
  readonly reachedAtMs: number | null;
  /** The part of the usage that the limit would have refused. */
  readonly refusedUnits: number;
  readonly refusedRequests: number;
}

interface Amounts {
  readonly amount: number;
  readonly carryOver: number | null;
}

/** Usage is stored by day, so a shorter period cannot be simulated. */
export const isSimulable = (period: LimitPeriod, concurrent: boolean): boolean =>
  !concurrent && ['day', 'week', 'month', 'total', 'rolling_7d'].includes(period);

/**
 * Applies a limit to past usage. Usage is spread evenly over each day, because it is stored by day.
 * @param days in ascending order
 * @param periods in ascending order, without gaps
 */
export function simulatePeriods(
  days: readonly UsageDay[],
  periods: readonly { readonly startMs: number; readonly endMs: number }[],
  { amount, carryOver }: Amounts,
): SimulatedPeriod[] {
  let carried = 0;
  return periods.map(({ startMs, endMs }) => {
    const pieces = days.flatMap((day) => pieceOf(day, startMs, endMs));
    const simulated = { startMs, endMs, ...applied(pieces, amount + carried, startMs) };
    carried = carryOver === null ? 0 : Math.min(carryOver, Math.max(0, amount + carried - simulated.used));
    return simulated;
  });
}

/** Each day is compared with the amount that the six days before it would have left. */
export function simulateRollingDays(days: readonly UsageDay[], amount: number): SimulatedPeriod[] {
  const admitted: number[] = [];
  return days.map((day, at) => {
    const firstMs = day.startMs - (WINDOW_DAYS - 1) * DAY_MS;
    let before = 0;
    for (let i = at - 1; i >= 0 && days[i]!.startMs >= firstMs; i--) before += admitted[i]!;
    const { used, ...rest } = applied([day], Math.max(0, amount - before), day.startMs);
    admitted.push(used - rest.refusedUnits);
    return { startMs: firstMs, endMs: day.startMs + DAY_MS, used: before + used, ...rest };
  });
}

/** The part of a day that is in a period. */
function pieceOf(day: UsageDay, startMs: number, endMs: number): UsageDay[] {
  const from = Math.max(day.startMs, startMs);
  const lengthMs = Math.min(day.startMs + day.lengthMs, endMs) - from;
  if (lengthMs <= 0) return [];
  const share = lengthMs / day.lengthMs;
  return [{ startMs: from, lengthMs, units: day.units * share, requests: day.requests * share }];
}

function applied(pieces: readonly UsageDay[], amount: number, startMs: number) {
  let used = 0;
  let reachedAtMs: number | null = null;
  let refusedRequests = 0;
  for (const piece of pieces) {
    const left = Math.max(0, amount - used);
    used += piece.units;
    if (piece.units === 0 || piece.units < left) continue;
    const admitted = left / piece.units;
    reachedAtMs ??= amount === 0 ? startMs : Math.round(piece.startMs + admitted * piece.lengthMs);
    refusedRequests += piece.requests * (1 - admitted);
  }
  return {
    ...{ used: Math.round(used), reachedAtMs },
    ...{ refusedUnits: Math.max(0, Math.round(used - amount)), refusedRequests: Math.round(refusedRequests) },
  };
}
