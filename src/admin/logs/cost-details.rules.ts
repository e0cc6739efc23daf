import { formatDecimal, formatNanos, NANO_DECIMALS } from '../../costs/pricing/price-text.rules.js';
import { USAGE_KINDS, type UsageKind, type UsageKindSpec } from '../../costs/usage-kinds.data.js';
import type { StoredCost } from '../../stats/reports/stored-cost.js';

/** A part of the amount. Amounts and prices are decimal strings in dollars. */
export interface CostLine {
  readonly kind: string;
  readonly unit: string;
  readonly units: number;
  readonly price: string;
  readonly per: number;
  readonly priced_as: string;
  readonly fallback: boolean;
  readonly factor: CostFactor | null;
  readonly amount: string;
  readonly model: string | null;
  readonly model_price: string | null;
}

export interface CostFactor {
  readonly numerator: number;
  readonly denominator: number;
}

/** The sum of these lines, rounded up once to a nano-dollar, is the cost of the request. */
export function costLines({ lines = [], factor }: StoredCost): CostLine[] {
  return lines.map(({ kind, units, price, per, priced_as = kind, ...other }) => {
    const { unit = 'unit', token = false } = specOf(kind);
    const { model = null, model_price = null } = other;
    // Factors change only the prices of tokens.
    const applied = token ? factorOf(model === null ? factor : other.factor) : null;
    const { numerator, denominator } = applied ?? ONE;
    return {
      ...{
        kind,
        unit,
        units,
        price: formatNanos(price),
        per,
        priced_as,
        fallback: priced_as !== kind,
        factor: applied,
      },
      ...{ model, model_price: model_price === '' ? null : model_price },
      amount: dollars(BigInt(units) * BigInt(price) * BigInt(numerator), BigInt(per) * BigInt(denominator)),
    };
  });
}

export const factorOf = (factor: StoredCost['factor']): CostFactor | null =>
  factor === undefined ? null : { numerator: factor[0], denominator: factor[1] };

const ONE: CostFactor = { numerator: 1, denominator: 1 };

/** Whether the cost is incomplete without a price for `kind`. */
export const needsPrice = (kind: string): boolean => specOf(kind).needsPrice !== 'never';

/** A row can have a kind of another release. */
const specOf = (kind: string): Partial<UsageKindSpec> =>
  Object.hasOwn(USAGE_KINDS, kind) ? USAGE_KINDS[kind as UsageKind] : {};

/**
 * Amounts per token have at most 15 decimals. Only prices per hour and factors such as 1/3 can have more. They are rounded down so
 * late that the sum of the lines still rounds up to the same nano-dollar.
 */
const DECIMALS_MAX = 21;

/** @returns the nano-dollars `numerator / denominator` in dollars, in the shortest form */
function dollars(numerator: bigint, denominator: bigint): string {
  const scaled = (numerator * 10n ** BigInt(DECIMALS_MAX - NANO_DECIMALS)) / denominator;
  return formatDecimal(scaled, DECIMALS_MAX);
}
