import type { LimitTerms } from './limit.js';

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
