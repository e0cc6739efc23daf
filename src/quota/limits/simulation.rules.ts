import { DAY_MS } from '../utc-windows.rules.js';
import { ROLLING_PARTS, type LimitPeriod } from './limit-terms.data.js';

const WEEK_MS = 7 * DAY_MS;

export interface UsageDay {
  readonly startMs: number;
  /** A whole day, or for today, the elapsed part. */
  readonly lengthMs: number;
  readonly units: bigint;
  readonly requests: number;
}

export interface SimulatedPeriod {
  readonly startMs: number;
  readonly endMs: number;
  /** Usage in the unit of the limit, without the limit. It can exceed the amount. */
  readonly used: bigint;
  /** The time at which the amount would have been reached. Null if it would not have been in this period. */
  readonly reachedAtMs: number | null;
  readonly rejectedUnits: bigint;
  readonly rejectedRequests: number;
}

interface Amounts {
  readonly amount: bigint;
  readonly carryOver: bigint | null;
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
  let carried = 0n;
  return periods.map(({ startMs, endMs }) => {
    const rejections = new Rejections();
    let used = 0n;
    for (const piece of days.flatMap((day) => pieceOf(day, startMs, endMs))) {
      rejections.add(piece, positive(amount + carried - used), startMs);
      used += piece.units;
    }
    carried = carryOver === null ? 0n : least(carryOver, positive(amount + carried - used));
    return { startMs, endMs, used, ...rejections.result };
  });
}

/** Applies a limit for `rolling_7d` to each day. Usage leaves the period part by part, as `limit_advanced` does it. */
export function simulateRollingDays(days: readonly UsageDay[], amount: bigint): SimulatedPeriod[] {
  const { partMs, parts } = ROLLING_PARTS.rolling_7d;
  const counted: { readonly leavesAtMs: number; readonly units: bigint; readonly admitted: bigint }[] = [];
  let [used, admittedBefore] = [0n, 0n];
  return days.map((day) => {
    const rejections = new Rejections();
    let highest = 0n;
    for (let startMs = day.startMs; startMs < day.startMs + day.lengthMs; startMs += partMs) {
      while (counted[0] !== undefined && counted[0].leavesAtMs <= startMs) {
        used -= counted[0].units;
        admittedBefore -= counted[0].admitted;
        counted.shift();
      }
      for (const piece of pieceOf(day, startMs, startMs + partMs)) {
        const admitted = rejections.add(piece, positive(amount - admittedBefore), startMs);
        counted.push({ leavesAtMs: startMs + parts * partMs, units: piece.units, admitted });
        used += piece.units;
        admittedBefore += admitted;
      }
      if (used > highest) highest = used;
    }
    const endMs = day.startMs + DAY_MS;
    return { startMs: endMs - WEEK_MS, endMs, used: highest, ...rejections.result };
  });
}

/** The part of a day that is in a period. The parts of a day add up to its usage. */
function pieceOf(day: UsageDay, startMs: number, endMs: number): UsageDay[] {
  const from = Math.max(day.startMs, startMs);
  const to = Math.min(day.startMs + day.lengthMs, endMs);
  if (to <= from) return [];
  const unitsUntil = (ms: number) => (day.units * BigInt(ms - day.startMs)) / BigInt(day.lengthMs);
  const lengthMs = to - from;
  const requests = (day.requests * lengthMs) / day.lengthMs;
  return [{ startMs: from, lengthMs, units: unitsUntil(to) - unitsUntil(from), requests }];
}

class Rejections {
  private reachedAtMs: number | null = null;
  private units = 0n;
  private requests = 0;

  get result() {
    return {
      reachedAtMs: this.reachedAtMs,
      rejectedUnits: this.units,
      rejectedRequests: Math.round(this.requests),
    };
  }

  /** @returns the units that fit into what is left */
  add(piece: UsageDay, left: bigint, startMs: number): bigint {
    const { units } = piece;
    if (units === 0n || units < left) return units;
    const share = Number(left) / Number(units);
    this.reachedAtMs ??= left === 0n ? startMs : Math.round(piece.startMs + share * piece.lengthMs);
    this.units += units - left;
    this.requests += piece.requests * (1 - share);
    return left;
  }
}

const positive = (units: bigint): bigint => (units > 0n ? units : 0n);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
