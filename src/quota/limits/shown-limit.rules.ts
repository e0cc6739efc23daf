import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import type { CacheWeights, LimitTerms } from './limit.js';
import type { LimitMeasure, LimitPeriod } from './limit-terms.data.js';

/** Dollars as a decimal string for the measure `cost`, otherwise an integer. */
export type ShownAmount = string | number;

export const shownAmount = (measure: LimitMeasure, units: number | bigint): ShownAmount =>
  measure === 'cost' ? formatNanos(units) : Number(units);

/** Dollars or a number, in the shortest exact form, as in events and notifications. */
export const amountText = (measure: LimitMeasure, units: number | bigint): string =>
  String(shownAmount(measure, units));

export const shownWeights = (weights: CacheWeights | null) =>
  weights && { cached_input: weights.cachedInput, cache_write: weights.cacheWrite };

/** Concurrent requests have no period. */
export const shownPeriod = ({ measure, period }: Pick<LimitTerms, 'measure' | 'period'>): LimitPeriod | null =>
  measure === 'concurrent_requests' ? null : period;

/** The target of a limit by the field names of the Admin API. */
export const shownTarget = ({ scope, scopeId, scopeTag }: Pick<LimitTerms, 'scope' | 'scopeId' | 'scopeTag'>) => ({
  scope,
  team_id: scope === 'team' ? scopeId : null,
  key_id: scope === 'key' ? scopeId : null,
  tag: scopeTag,
});

/** The terms by the field names of the Admin API, for audit rows. */
export function shownTerms(terms: LimitTerms): Readonly<Record<string, unknown>> {
  const { name, measure, zone, models, amount, mode, reserve, startsAt, endsAt, enabled, thresholds } = terms;
  return {
    name,
    ...shownTarget(terms),
    measure,
    period: shownPeriod(terms),
    time_zone: zone,
    models,
    amount: shownAmount(measure, amount),
    mode,
    reserve,
    weights: shownWeights(terms.weights),
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
    enabled,
    alert_thresholds: thresholds,
    carry_over: terms.carryOver === null ? null : shownAmount(measure, terms.carryOver),
  };
}
