import type { LimitTerms } from './limit.js';

/**
 * A limit as admission needs it: enabled and not deleted. Its start can be in the future and its end in the past. Its figures
 * are in the database only. `models` are lower-case patterns. `amount` is as last read, for messages: the database decides by its own.
 */
export interface ActiveLimit extends Omit<LimitTerms, 'startsAt' | 'endsAt' | 'enabled' | 'thresholds' | 'carryOver'> {
  readonly id: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  readonly version: number;
}
