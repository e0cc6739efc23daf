import type { LimitCharge } from '../limit-claims.js';
import type { KeyCounts } from '../utc-windows.rules.js';

/**
 * Requests that were served but are not stored, minus those that are stored but were not served. Each key has one entry for
 * its newest minute, day and month, because the store keeps no older windows.
 */
export class UnreconciledCounts {
  private readonly byKey = new Map<string, KeyCounts>();

  add(counts: KeyCounts): void {
    const before = this.byKey.get(counts.keyId);
    const after = before === undefined ? counts : sumOfCounts(before, counts);
    if (after.minuteCount === 0 && after.dayCount === 0 && after.monthCount === 0) this.byKey.delete(counts.keyId);
    else this.byKey.set(counts.keyId, after);
  }

  addAll(counts: readonly KeyCounts[]): void {
    for (const each of counts) this.add(each);
  }

  subtractAll(counts: readonly KeyCounts[]): void {
    for (const each of counts)
      this.add({
        ...each,
        minuteCount: -each.minuteCount,
        dayCount: -each.dayCount,
        monthCount: -each.monthCount,
      });
  }

  has(keyId: string): boolean {
    return this.byKey.has(keyId);
  }

  get size(): number {
    return this.byKey.size;
  }

  /** The requests of the newest month, over all keys. Negative counts are not subtracted. */
  get requests(): number {
    let requests = 0;
    for (const { monthCount } of this.byKey.values()) requests += Math.max(0, monthCount);
    return requests;
  }

  list(keysMax = Infinity): KeyCounts[] {
    return [...this.byKey.values()].slice(0, keysMax);
  }
}

/** A change of the figures of one limit in one period. */
export interface LimitLine {
  readonly limitId: number;
  readonly period: number;
  /** The amount released from reservations. Negative: the amount was reserved. */
  readonly freed: number;
  /** Negative: the amount was counted, but not used. */
  readonly spent: number;
  /** The overdraft that no request can use any more. Negative: a request can use it now. */
  readonly overdraft: number;
}

export interface LimitChanges {
  readonly lines: readonly LimitLine[];
  readonly charges: readonly LimitCharge[];
}

const MINUTE_US = 60_000_000;

/**
 * Changes for the next settlement. Each limit has one line for its newest period, because the store keeps no older ones. Charges of the
 * same minute are merged. Every period begins with a full minute, and a reset drops at most the charges of its minute.
 */
export class UnreconciledLimits {
  private readonly lines = new Map<number, LimitLine>();
  private readonly charges = new Map<string, LimitCharge>();

  get isEmpty(): boolean {
    return this.lines.size === 0 && this.charges.size === 0;
  }

  lineOf(limitId: number): LimitLine | null {
    return this.lines.get(limitId) ?? null;
  }

  add(line: LimitLine): void {
    const before = this.lines.get(line.limitId);
    this.lines.set(line.limitId, before === undefined ? line : sumOfLines(before, line));
  }

  addCharge(charge: LimitCharge): void {
    const id = `${charge.limitId} ${Math.floor(charge.atUs / MINUTE_US)}`;
    const { spent = 0, atUs = 0 } = this.charges.get(id) ?? {};
    this.charges.set(id, { ...charge, atUs: Math.max(atUs, charge.atUs), spent: spent + charge.spent });
  }

  addAll({ lines, charges }: LimitChanges): void {
    for (const line of lines) this.add(line);
    for (const charge of charges) this.addCharge(charge);
  }

  /** Removes and returns at most `max` lines and charges. */
  take(max: number): LimitChanges {
    return { lines: takeFrom(this.lines, max), charges: takeFrom(this.charges, max) };
  }
}

/** @returns the newer one if the periods differ */
export function sumOfLines(a: LimitLine, b: LimitLine): LimitLine {
  if (a.period !== b.period) return a.period > b.period ? a : b;
  const { limitId, period } = a;
  return {
    limitId,
    period,
    freed: a.freed + b.freed,
    spent: a.spent + b.spent,
    overdraft: a.overdraft + b.overdraft,
  };
}

function takeFrom<K, V>(map: Map<K, V>, max: number): V[] {
  const taken: V[] = [];
  for (const [key, value] of map) {
    if (taken.length === max) break;
    taken.push(value);
    map.delete(key);
  }
  return taken;
}

export const NOTHING: LimitChanges = { lines: [], charges: [] };

export function splitBy(
  { lines, charges }: LimitChanges,
  isFirst: (change: LimitLine | LimitCharge) => boolean,
): [LimitChanges, LimitChanges] {
  const isSecond = (change: LimitLine | LimitCharge) => !isFirst(change);
  return [
    { lines: lines.filter(isFirst), charges: charges.filter(isFirst) },
    { lines: lines.filter(isSecond), charges: charges.filter(isSecond) },
  ];
}

function sumOfCounts(a: KeyCounts, b: KeyCounts): KeyCounts {
  return {
    keyId: a.keyId,
    minute: Math.max(a.minute, b.minute),
    minuteCount: newest(a.minute, a.minuteCount, b.minute, b.minuteCount),
    day: Math.max(a.day, b.day),
    dayCount: newest(a.day, a.dayCount, b.day, b.dayCount),
    month: Math.max(a.month, b.month),
    monthCount: newest(a.month, a.monthCount, b.month, b.monthCount),
  };
}

function newest(windowA: number, countA: number, windowB: number, countB: number): number {
  if (windowA === windowB) return countA + countB;
  return windowA > windowB ? countA : countB;
}
