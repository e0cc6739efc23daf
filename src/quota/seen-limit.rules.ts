import type { LimitClaim, OverLimit } from './limit-claims.js';
import type { LimitLine } from './ledger/unreconciled-changes.js';

/** The figures of a limit at one instant. Amounts can exceed 2^53. */
export interface SeenLimit {
  /** Null if the limit is not active. */
  readonly period: number | null;
  /** Null if the limit is not enforced. */
  readonly amount: bigint | null;
  readonly used: bigint;
  readonly held: bigint;
  /** By how much running requests can exceed `held`. */
  readonly overdraft: bigint;
}

/** The terms that change the figures of an enabled limit when time passes. Times are microseconds since 1970. */
export interface LimitTimes {
  readonly per: string;
  readonly zone: string;
  readonly enforced: boolean;
  /** The amount, without carry-over and top-ups. */
  readonly base: bigint;
  readonly startsUs: number | null;
  readonly endsUs: number | null;
  readonly topUps: readonly { readonly amount: bigint; readonly fromUs: number; readonly untilUs: number }[];
}

interface DatedFigures {
  readonly seen: SeenLimit;
  readonly atUs: number;
  readonly times: LimitTimes;
}

/** The period around an instant. Null if it has no start or no end, or is not known. */
export interface PeriodBounds {
  readonly startUs: number | null;
  readonly endUs: number | null;
}

export function withClaim(seen: SeenLimit, { asked, holds, overdraft }: LimitClaim): SeenLimit {
  if (!holds) return { ...seen, used: seen.used + BigInt(asked) };
  return { ...seen, held: seen.held + BigInt(asked), overdraft: seen.overdraft + BigInt(overdraft) };
}

export function overLimitOf(
  { amount, used, held, overdraft }: SeenLimit,
  claim: LimitClaim,
  untilMs: OverLimit['untilMs'],
): OverLimit {
  const { limitId, asked } = claim;
  const possible = used + held + overdraft + BigInt(asked) + BigInt(claim.overdraft);
  return { limitId, asked, amount: amount ?? 0n, used, held, possible, untilMs };
}

export function fits({ period, amount, used, held, overdraft }: SeenLimit, claim: LimitClaim): boolean {
  if (period === null || amount === null) return true;
  const left = amount - used - held - BigInt(claim.asked);
  if (left < 0n) return false;
  return claim.overdraft === 0 || held === 0n || BigInt(claim.overdraft) + overdraft <= amount + left;
}

/** @returns the figures with a settlement. A settlement of another period changes nothing */
export function withLine(seen: SeenLimit, line: LimitLine | null): SeenLimit {
  if (line === null || line.period !== seen.period) return seen;
  return {
    ...seen,
    held: notNegative(seen.held - BigInt(line.freed)),
    overdraft: notNegative(seen.overdraft - BigInt(line.overdraft)),
    used: seen.used + BigInt(line.spent),
  };
}

const notNegative = (figure: bigint): bigint => (figure > 0n ? figure : 0n);

/**
 * The figures at a later instant, as far as this process knows them (D22). A new period begins with nothing used, and without carry-over,
 * because the usage of other processes is unknown. Usage of rolling periods does not expire.
 */
export function figuresAt({ seen, atUs, times }: DatedFigures, { startUs }: PeriodBounds, nowUs: number): SeenLimit {
  const { startsUs, endsUs, topUps, enforced, base } = times;
  if ((startsUs !== null && nowUs < startsUs) || (endsUs !== null && nowUs >= endsUs)) return { ...seen, period: null };
  const sum = (those: LimitTimes['topUps']) => those.reduce((total, { amount }) => total + amount, 0n);
  const begins = seen.period === null || (startUs !== null && startUs > seen.period);
  if (begins) {
    const active = topUps.filter(({ fromUs, untilUs }) => fromUs <= nowUs && nowUs < untilUs);
    return { period: startUs ?? 0, amount: enforced ? base + sum(active) : null, used: 0n, held: 0n, overdraft: 0n };
  }
  if (seen.amount === null) return seen;
  const ended = topUps.filter(({ fromUs, untilUs }) => fromUs <= atUs && atUs < untilUs && untilUs <= nowUs);
  return { ...seen, amount: seen.amount - sum(ended) };
}
