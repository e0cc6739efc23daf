import type { Forecast } from './forecast.rules.js';
import type { LimitMeasure, LimitMode, LimitPeriod, LimitReserve, LimitScope } from './limit-terms.data.js';

/** Weights of cache tokens, compared with one token of uncached input. 0 to 100. */
export interface CacheWeights {
  readonly cachedInput: number;
  readonly cacheWrite: number;
}

/** The part of a limit that operators can change. Amounts are in the unit of the measure: requests, tokens, or nano-dollars. */
export interface LimitSettings {
  readonly name: string | null;
  /** Patterns in which `*` matches any characters. Null for all models. */
  readonly models: readonly string[] | null;
  readonly amount: bigint;
  readonly mode: LimitMode;
  readonly reserve: LimitReserve;
  /** Null if all weights are 1. */
  readonly weights: CacheWeights | null;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly enabled: boolean;
  /** Percentages of the amount, in ascending order. */
  readonly thresholds: readonly number[];
  /** The maximum amount that is carried over into a period. Null if nothing is. */
  readonly carryOver: bigint | null;
}

/** The terms of a limit. The fields that `LimitSettings` lacks never change. */
export interface LimitTerms extends LimitSettings {
  readonly scope: LimitScope;
  /** The team or the key. */
  readonly scopeId: string | null;
  readonly scopeTag: string | null;
  readonly measure: LimitMeasure;
  /** `total` for concurrent requests. */
  readonly period: LimitPeriod;
  /** An IANA time zone. `UTC` unless the period is a day, a week or a month. */
  readonly zone: string;
}

export interface Limit extends LimitTerms {
  readonly id: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * A limit as admission needs it: enabled and not deleted. Its start can be in the future and its end in the past. Its figures
 * are in the database only. `models` are lowercase patterns. `amount` is the value that was read last, for messages only. The
 * database decides by its own value.
 */
export interface ActiveLimit extends Omit<LimitTerms, 'startsAt' | 'endsAt' | 'enabled' | 'thresholds' | 'carryOver'> {
  readonly id: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  readonly version: number;
}

/** The figures of a limit at one instant. Usage can exceed 2^53 nano-dollars. */
export interface LimitFigures {
  readonly used: bigint;
  readonly reserved: bigint;
  /** The part of `used` that is an estimate. */
  readonly estimated: bigint;
  /** The amount, including carry-over and top-ups. */
  readonly effectiveAmount: bigint;
  readonly carried: bigint;
  /** The sum of the active top-ups. */
  readonly topUps: bigint;
  /** Enabled, started, and not ended. */
  readonly active: boolean;
  /** The time from which `used` counts. Null for `total`, which has no start, and for concurrent requests. */
  readonly periodStartedAtMs: number | null;
  /** Null for rolling periods and `total`, which have no end. */
  readonly resetsAtMs: number | null;
  readonly forecast: Forecast | null;
}

export interface ReadLimit {
  readonly limit: Limit;
  readonly figures: LimitFigures;
}
