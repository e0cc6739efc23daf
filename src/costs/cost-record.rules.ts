import type { CostFactor } from './pricing/cost-factor.rules.js';
import type { TokenUsage } from '../platform/request-context/token-usage.js';
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
    lines: lines.map(({ kind, units, price, pricedAs, factor: lineFactor, other }) => ({
      kind,
      units,
      price,
      per: USAGE_KINDS[kind].per,
      ...(pricedAs !== kind && { priced_as: pricedAs }),
      ...(other !== undefined && { model: other.model, model_price: other.price, ...factorRecord(lineFactor) }),
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

/** How the cost of a request was computed, as `costRecordOf` writes it. Absent fields are the usual ones. */
export interface StoredCost {
  /** The name of the upstream. */
  readonly provider: string;
  /** Identifies the price, with its version. Null without a price. */
  readonly price: string | null;
  /** Kinds of usage without a price. The amount is a lower bound if there are any. */
  readonly unpriced: readonly string[];
  readonly estimated?: boolean;
  readonly recomputed_at?: string;
  /** Tokens within the output. */
  readonly reasoning?: number;
  /** Figures of the report that were impossible and were limited. */
  readonly corrected?: readonly string[];
  readonly lines?: readonly StoredCostLine[];
  readonly tier_above?: number;
  readonly factor?: readonly [numerator: number, denominator: number];
  readonly service_tier?: string;
  readonly region?: string;
  readonly assumed?: readonly string[];
  readonly unmeasured?: readonly string[];
  readonly image_assumed?: boolean;
}

interface StoredCostLine {
  readonly kind: string;
  readonly units: number;
  /** In nano-dollars per `per` units, before the factor. */
  readonly price: number;
  readonly per: number;
  /** Absent if the model has a price of its own for `kind`. */
  readonly priced_as?: string;
  /** The model of this usage, and its price as in `StoredCost`, if the request used several models. */
  readonly model?: string;
  readonly model_price?: string;
  /** The factor of a line with a model. Other lines have the factor of the request. */
  readonly factor?: readonly [numerator: number, denominator: number];
}
