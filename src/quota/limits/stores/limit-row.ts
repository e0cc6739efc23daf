import type { Limit, LimitTerms } from '../limit.js';

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

/** The columns that operators set, for `jsonb_populate_record`. @param id null for a limit that does not exist */
export const rowOf = (id: number | null, terms: LimitTerms) => ({
  id,
  name: terms.name,
  scope: terms.scope,
  scope_id: terms.scopeId,
  scope_tag: terms.scopeTag,
  measure: terms.measure,
  weights:
    terms.weights === null ? null : { cached_input: terms.weights.cachedInput, cache_write: terms.weights.cacheWrite },
  period: terms.period,
  zone: terms.zone,
  amount: String(terms.amount),
  models: terms.models,
  mode: terms.mode,
  reserve: terms.reserve,
  starts_at: terms.startsAt,
  ends_at: terms.endsAt,
  enabled: terms.enabled,
  thresholds: terms.thresholds,
  carry_over: terms.carryOver === null ? null : String(terms.carryOver),
});

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
  weights:
    row.weights === null
      ? null
      : { cachedInput: row.weights.cached_input ?? 1, cacheWrite: row.weights.cache_write ?? 1 },
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
