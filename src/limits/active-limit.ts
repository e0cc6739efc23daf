import type { LimitMeasure, LimitMode, LimitPeriod, LimitReserve, LimitScope } from './limit-terms.data.js';

/** Weights of cache tokens, compared with one token of uncached input. 0 to 100. */
export interface CacheWeights {
  readonly cachedInput: number;
  readonly cacheWrite: number;
}

/**
 * A limit as admission needs it: enabled and not deleted. Its start can be in the future and its end in the past. Its figures
 * are in the database only.
 */
export interface ActiveLimit {
  readonly id: number;
  readonly name: string | null;
  readonly scope: LimitScope;
  /** The team or the key. Null for the other scopes. */
  readonly scopeId: string | null;
  readonly scopeTag: string | null;
  readonly measure: LimitMeasure;
  /** `total` for concurrent requests. */
  readonly period: LimitPeriod;
  /** An IANA time zone. `UTC` unless the period is a day, a week or a month. */
  readonly zone: string;
  /** Lower-case patterns. Null: all models, and requests without a model. */
  readonly models: readonly string[] | null;
  readonly mode: LimitMode;
  readonly reserve: LimitReserve;
  /** Null: 1 each. */
  readonly weights: CacheWeights | null;
  /** As last read, for messages. The database decides by its own. Requests, tokens, or nano-dollars. */
  readonly amount: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  readonly version: number;
}
