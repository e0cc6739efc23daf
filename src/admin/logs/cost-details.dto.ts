import { ApiProperty } from '@nestjs/swagger';
import { formatDecimal, formatNanos, NANO_DECIMALS } from '../../costs/pricing/price-text.rules.js';
import { USAGE_KINDS, type UsageKind, type UsageKindSpec } from '../../costs/usage-kinds.data.js';
import type { StoredCost } from '../../costs/request-costs.service.js';
import { COUNT, DOLLARS } from '../fields.data.js';

const KIND = { example: 'cached_input' } as const;
const TEXT_OR_NULL = { type: String, nullable: true } as const;

class CostFactorResponse {
  @ApiProperty({ ...COUNT, example: 1 })
  numerator: number;

  @ApiProperty({ ...COUNT, example: 2 })
  denominator: number;
}

class CostLineResponse {
  @ApiProperty({ ...KIND, description: 'Kind of usage. Kinds do not overlap.' })
  kind: string;

  @ApiProperty({ example: 'token' })
  unit: string;

  @ApiProperty({ ...COUNT, example: 30_940 })
  units: number;

  @ApiProperty({ ...DOLLARS, example: '0.075', description: 'Dollars for `per` units, before the factor.' })
  price: string;

  @ApiProperty({ ...COUNT, example: 1_000_000 })
  per: number;

  @ApiProperty({ ...KIND, description: 'Kind whose price applies.' })
  priced_as: string;

  @ApiProperty({ example: false, description: 'Whether the model has no price of its own for `kind`.' })
  fallback: boolean;

  @ApiProperty({ type: CostFactorResponse, nullable: true, description: 'Factor on the price. Null if it is 1.' })
  factor: CostFactorResponse | null;

  @ApiProperty({ ...DOLLARS, example: '0.0023205', description: 'Dollars, not rounded.' })
  amount: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    example: null,
    description: 'Model of this usage, if the request used another model too, such as an advisor or an image model.',
  })
  model: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: null, description: 'Price of this model, as in `price`.' })
  model_price: string | null;
}

export class CostDetailsResponse {
  @ApiProperty({ example: 'default', description: 'Name of the upstream.' })
  provider: string;

  @ApiProperty({
    ...TEXT_OR_NULL,
    example: 'list 0.1.8 openai/gpt-4o-mini',
    description:
      'Price that was applied: `list`, its version and the model; `operator` and the ID of the price; or `provider` if the ' +
      'response stated the amount. Null if there is no price.',
  })
  price: string | null;

  @ApiProperty({ example: false, description: 'Whether tokens were estimated, at least in part.' })
  estimated: boolean;

  @ApiProperty({
    ...TEXT_OR_NULL,
    format: 'date-time',
    example: null,
    description: 'When the request was priced, if that was after it was recorded.',
  })
  recomputed_at: string | null;

  @ApiProperty({
    type: [CostLineResponse],
    description: 'Parts of the amount. Their sum, rounded up once to nine decimals, is `cost`.',
  })
  lines: CostLineResponse[];

  @ApiProperty({
    type: [String],
    example: [],
    description: 'Kinds without a price. If there are any, `cost` is null or a lower bound.',
  })
  unpriced: readonly string[];

  @ApiProperty({
    type: [String],
    example: [],
    description:
      'Kinds that the provider bills, but that the response did not report. If there are any, `cost` is null or a lower bound.',
  })
  unmeasured: readonly string[];

  @ApiProperty({ ...COUNT, example: 0, description: 'Tokens within the output.' })
  reasoning_tokens: number;

  @ApiProperty({
    ...COUNT,
    nullable: true,
    example: null,
    description: 'Input tokens above which the applied prices begin. Null for the first tier.',
  })
  tier_above: number | null;

  @ApiProperty({ type: CostFactorResponse, nullable: true, description: 'Factor on the prices of tokens.' })
  factor: CostFactorResponse | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: null, description: 'Reported service tier. Null for the standard one.' })
  service_tier: string | null;

  @ApiProperty({ ...TEXT_OR_NULL, example: null, description: 'Region. Null if no region applies.' })
  region: string | null;

  @ApiProperty({
    type: [String],
    example: [],
    description:
      '`serviceTier` or `region` if no price is published for it, so that the usual one applies. Kinds without a price of their own ' +
      'that can cost more than the price that was applied.',
  })
  assumed: readonly string[];

  @ApiProperty({
    type: [String],
    example: [],
    description: 'Reported figures that were impossible and were limited.',
  })
  corrected: readonly string[];

  @ApiProperty({
    example: false,
    description: 'Whether the highest price of an image applies because its size is unknown.',
  })
  image_assumed: boolean;

  static of(stored: StoredCost): CostDetailsResponse {
    return {
      provider: stored.provider,
      price: stored.price,
      estimated: stored.estimated === true,
      recomputed_at: stored.recomputed_at ?? null,
      lines: costLines(stored),
      unpriced: stored.unpriced.filter(needsPrice),
      unmeasured: stored.unmeasured ?? [],
      reasoning_tokens: stored.reasoning ?? 0,
      tier_above: stored.tier_above ?? null,
      factor: factorOf(stored.factor),
      service_tier: stored.service_tier ?? null,
      region: stored.region ?? null,
      assumed: stored.assumed ?? [],
      corrected: stored.corrected ?? [],
      image_assumed: stored.image_assumed === true,
    };
  }
}

/** The sum of these lines, rounded up once to a nano-dollar, is the cost of the request. */
export function costLines({ lines = [], factor }: StoredCost): CostLineResponse[] {
  return lines.map(({ kind, units, price, per, priced_as = kind, ...other }) => {
    const { unit = 'unit', token = false } = specOf(kind);
    const { model = null, model_price = null } = other;
    const applied = token ? factorOf(model === null ? factor : other.factor) : null;
    const { numerator, denominator } = applied ?? ONE;
    return {
      kind,
      unit,
      units,
      price: formatNanos(price),
      per,
      priced_as,
      fallback: priced_as !== kind,
      factor: applied,
      model,
      model_price: model_price === '' ? null : model_price,
      amount: dollars(BigInt(units) * BigInt(price) * BigInt(numerator), BigInt(per) * BigInt(denominator)),
    };
  });
}

const factorOf = (factor: StoredCost['factor']): CostFactorResponse | null =>
  factor === undefined ? null : { numerator: factor[0], denominator: factor[1] };

const ONE: CostFactorResponse = { numerator: 1, denominator: 1 };

const needsPrice = (kind: string): boolean => specOf(kind).needsPrice !== 'never';

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
