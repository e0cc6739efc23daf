import type { AppliedPrice } from '../applied-price.service.js';
import { costOf } from '../pricing/request-cost.rules.js';
import { kindsOf } from '../pricing/request-units.rules.js';

/** The usage of one key and model on one day. */
export interface DayUsage {
  readonly keyId: string;
  /** Empty for none. */
  readonly model: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface DayCost extends DayUsage {
  readonly nanos: bigint;
  readonly unpricedRequests: number;
}

/**
 * The cost of a day's usage by its input and output tokens. Caches and other kinds were not recorded then. The price tier is that of
 * the average request.
 *
 * @param price null if the model has no price on that day
 */
export function dayCost(usage: DayUsage, price: Pick<AppliedPrice, 'row' | 'region'> | null): DayCost {
  const { requests, inputTokens, outputTokens } = usage;
  if (inputTokens + outputTokens === 0) return { ...usage, nanos: 0n, unpricedRequests: 0 };
  if (price === null) return { ...usage, nanos: 0n, unpricedRequests: requests };
  const kinds = kindsOf({ inputTokens, outputTokens, provenance: 'reported' }, null);
  const ofDay = {
    ...kinds,
    units: { ...kinds.units, requests },
    inputTokens: Math.ceil(inputTokens / Math.max(1, requests)),
  };
  const { nanos, unpriced } = costOf(ofDay, price.row, { serviceTier: null, region: price.region });
  const isUnpriced = nanos === null || unpriced.length > 0;
  return { ...usage, nanos: nanos ?? 0n, unpricedRequests: isUnpriced ? requests : 0 };
}
