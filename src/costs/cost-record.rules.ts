import type { CostFactor } from './pricing/cost-factor.rules.js';
import type { TokenUsage } from '../request-context/token-usage.js';
import type { RequestCost } from './pricing/request-cost.rules.js';
import { usedKinds } from './pricing/request-units.rules.js';
import type { PricedUsage } from './request-costs.service.js';
import { USAGE_KINDS } from './usage-kinds.data.js';

interface Circumstances {
  /** The name of the upstream. */
  readonly provider: string;
  /** As `isEstimated`. */
  readonly estimated: boolean;
  /** When the request was priced, if that was after it was recorded. ISO 8601. */
  readonly recomputedAt?: string;
}

/** Whether tokens were estimated, at least in part. */
export const isEstimated = ({ provenance }: TokenUsage): boolean =>
  provenance === 'estimated' || provenance === 'partial';

/** The lines of the amount, so that it can be checked and explained without the price list of that time. JSON of request logs. */
export function costRecordOf({ cost, kinds, price, unpriced }: PricedUsage, given: Circumstances): object {
  return {
    provider: given.provider,
    price,
    unpriced: cost?.unpriced ?? (unpriced ? usedKinds(kinds.units) : []),
    ...(given.estimated && { estimated: true }),
    ...(given.recomputedAt !== undefined && { recomputed_at: given.recomputedAt }),
    ...(kinds.reasoning > 0 && { reasoning: kinds.reasoning }),
    ...(kinds.corrected.length > 0 && { corrected: kinds.corrected }),
    ...(cost !== null && computationOf(cost)),
  };
}

function computationOf({ lines, tierAbove, factor, unmeasured, imageAssumed }: RequestCost): object {
  return {
    lines: lines.map(({ kind, units, price, pricedAs, other }) => ({
      ...{ kind, units, price, per: USAGE_KINDS[kind].per },
      ...(pricedAs !== kind && { priced_as: pricedAs }),
      ...(other !== undefined && { model: other.model, model_price: other.price, ...factorRecord(other.factor) }),
    })),
    ...(tierAbove !== null && { tier_above: tierAbove }),
    ...factorRecord(factor),
    ...(factor.serviceTier !== null && { service_tier: factor.serviceTier }),
    ...(factor.region !== null && { region: factor.region }),
    ...(factor.assumed.length > 0 && { assumed: factor.assumed }),
    ...(unmeasured.length > 0 && { unmeasured }),
    ...(imageAssumed && { image_assumed: true }),
  };
}

const factorRecord = ({ numerator, denominator }: CostFactor): object =>
  numerator === denominator ? {} : { factor: [numerator, denominator] };
