import type { CacheWeights, Limit } from '../limit.js';

/** Columns of the table or subquery `l`. */
export const LIMIT_COLUMNS = `l.id, l.name, l.scope, l.scope_id, l.scope_tag, l.measure, l.weights, l.period, l.zone, l.amount, l.models, l.mode,
       l.reserve, l.starts_at, l.ends_at, l.enabled, l.thresholds, l.carry_over, l.created_at, l.updated_at`;

export interface LimitRow {
  readonly id: string;
  readonly name: string | null;
  readonly scope: Limit['scope'];
  readonly scope_id: string | null;
  readonly scope_tag: string | null;
  readonly measure: Limit['measure'];
  /** A missing weight is 1. */
  readonly weights: { readonly cached_input?: number; readonly cache_write?: number } | null;
  readonly period: Limit['period'];
  readonly zone: string;
  readonly amount: string;
  readonly models: string[] | null;
  readonly mode: Limit['mode'];
  readonly reserve: Limit['reserve'];
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly enabled: boolean;
  readonly thresholds: number[];
  readonly carry_over: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

type TermsRow = Omit<
  LimitRow,
  'starts_at' | 'ends_at' | 'enabled' | 'thresholds' | 'carry_over' | 'created_at' | 'updated_at'
>;

/** The column `weights`. */
export const weightsColumn = (weights: CacheWeights | null): LimitRow['weights'] =>
  weights && { cached_input: weights.cachedInput, cache_write: weights.cacheWrite };

/** The fields that every form of a limit has. */
export const termsOf = (row: TermsRow) => ({
  id: Number(row.id),
  name: row.name,
  scope: row.scope,
  scopeId: row.scope_id,
  scopeTag: row.scope_tag,
  measure: row.measure,
  period: row.period,
  zone: row.zone,
  models: row.models,
  amount: BigInt(row.amount),
  mode: row.mode,
  reserve: row.reserve,
  weights: row.weights && { cachedInput: row.weights.cached_input ?? 1, cacheWrite: row.weights.cache_write ?? 1 },
});

export const limitOf = (row: LimitRow): Limit => ({
  ...termsOf(row),
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  enabled: row.enabled,
  thresholds: row.thresholds,
  carryOver: row.carry_over === null ? null : BigInt(row.carry_over),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
