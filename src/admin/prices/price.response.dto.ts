import { ApiProperty } from '@nestjs/swagger';
import type { PriceState } from '../../costs/operator-price-periods.rules.js';
import type { LookedUpPrice } from '../../costs/price-explanation.service.js';
import type { OperatorPrice, PriceTerms } from '../../costs/price-terms.js';
import {
  formatHours,
  type DailyHours,
  type ImagePrice,
  type PriceFactor,
  type Prices,
} from '../../costs/pricing/price-row.js';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import { USAGE_KIND_NAMES } from '../../costs/usage-kinds.data.js';
import { Page } from '../page.dto.js';
import { PRICES_SCHEMA } from './price-checks.rules.js';
import { CREATED_BY } from '../admin.decorators.js';
import { CURRENCY, TIME } from '../fields.data.js';

const ID = { format: 'uuid', example: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90' } as const;
const WORD = { type: String, nullable: true } as const;

export class PriceTierResponse {
  @ApiProperty({
    type: 'integer',
    example: 200_000,
    description: 'The tier applies above this number of input tokens.',
  })
  above: number;

  @ApiProperty(PRICES_SCHEMA)
  prices: Record<string, string>;
}

export class ImagePriceResponse {
  @ApiProperty({ ...WORD, example: '1024x1024', description: 'Null if the price applies to every size.' })
  size: string | null;

  @ApiProperty({ ...WORD, example: 'hd', description: 'Null if the price applies to every quality.' })
  quality: string | null;

  @ApiProperty({ example: '40000', description: 'Dollars per million images.' })
  price: string;
}

export class PriceFactorResponse {
  @ApiProperty({ ...WORD, example: 'flex' })
  service_tier: string | null;

  @ApiProperty({ ...WORD, example: null, description: '`*`: every region except `global`.' })
  region: string | null;

  @ApiProperty({ example: '1/2', description: 'A decimal number, or a fraction. It multiplies the prices of tokens.' })
  multiplier: string;
}

/** The prices of one model: those of an operator, or of the published list. */
class PriceTermsResponse {
  @ApiProperty(CURRENCY)
  currency: 'USD';

  @ApiProperty(PRICES_SCHEMA)
  prices: Record<string, string>;

  @ApiProperty({
    type: [PriceTierResponse],
    description: 'The highest tier that the input reaches prices the whole request.',
  })
  tiers: PriceTierResponse[];

  @ApiProperty({ type: [ImagePriceResponse], description: 'Prices by size and quality. The first match applies.' })
  images: ImagePriceResponse[];

  @ApiProperty({ type: [PriceFactorResponse] })
  factors: PriceFactorResponse[];

  @ApiProperty({
    ...WORD,
    example: '16:30-00:30',
    description:
      'Hours of the day in UTC at which the price applies. The end is exclusive. Null if it applies the whole day.',
  })
  hours: string | null;
}

const termsOf = (terms: Omit<PriceTerms, 'hours'> & { readonly hours?: DailyHours | null }): PriceTermsResponse => ({
  currency: 'USD',
  prices: pricesOf(terms.prices),
  tiers: (terms.tiers ?? []).map(({ above, prices }) => ({ above, prices: pricesOf(prices) })),
  images: imagesOf(terms.images ?? []),
  factors: factorsOf(terms.factors ?? []),
  hours: terms.hours ? formatHours(terms.hours) : null,
});

export const imagesOf = (images: readonly ImagePrice[]): ImagePriceResponse[] =>
  images.map(({ size, quality, price }) => ({ size, quality, price: formatNanos(price) }));

export const factorsOf = (factors: readonly PriceFactor[]): PriceFactorResponse[] =>
  factors.map((factor) => ({
    service_tier: factor.serviceTier ?? null,
    region: factor.region ?? null,
    multiplier: multiplierOf(factor),
  }));

export const pricesOf = (prices: Prices): Record<string, string> =>
  Object.fromEntries(
    USAGE_KIND_NAMES.flatMap((kind) => {
      const price = prices[kind];
      return price === undefined ? [] : [[kind, formatNanos(price)]];
    }),
  );

/** A published factor such as 5/3 is not a decimal number. */
function multiplierOf({ numerator, denominator }: PriceFactor): string {
  const millionths = (numerator * 1_000_000) / denominator;
  return Number.isInteger(millionths) ? formatNanos(millionths * 1000) : `${numerator}/${denominator}`;
}

export class PriceResponse extends PriceTermsResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty({ example: '*', description: 'Name of an upstream, or `*` for all upstreams.' })
  provider: string;

  @ApiProperty({ example: 'gpt-4o-mini', description: 'Model ID, or a pattern with `*`.' })
  model: string;

  @ApiProperty(TIME)
  valid_from: Date;

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'The price applies until this time, exclusive. Null if it has no end.',
  })
  valid_to: Date | null;

  @ApiProperty({
    enum: ['scheduled', 'active', 'superseded', 'ended'],
    description: '`superseded`: a price of the same model, upstream and hours that began later applies instead.',
  })
  state: PriceState;

  @ApiProperty({
    ...WORD,
    example: null,
    description: 'The prices of this provider in the published list apply instead of `prices`.',
  })
  list: string | null;

  @ApiProperty({ ...WORD, example: 'Contract of July' })
  note: string | null;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(CREATED_BY)
  created_by: string;

  static of(price: OperatorPrice, state: PriceState): PriceResponse {
    const { id, provider, model, validFrom, validTo, terms, note, createdAt, createdBy } = price;
    return {
      id,
      provider,
      model,
      valid_from: validFrom,
      valid_to: validTo,
      state,
      list: terms.list ?? null,
      ...termsOf(terms),
      note,
      created_at: createdAt,
      created_by: createdBy,
    };
  }
}

export class PriceListResponse extends Page {
  @ApiProperty({ type: [PriceResponse] })
  prices: PriceResponse[];
}

export class ImportedPricesResponse {
  @ApiProperty({ type: [PriceResponse] })
  prices: PriceResponse[];
}

class PublishedPriceResponse {
  @ApiProperty({ example: '0.1.8', description: 'Version of @pydantic/genai-prices.' })
  version: string;

  @ApiProperty({ example: '2026-09-23' })
  date: string;

  @ApiProperty({ example: 'openai' })
  provider: string;

  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;
}

export class LookedUpPriceResponse extends PriceTermsResponse {
  @ApiProperty({ example: 'gpt-4o-mini-2024-07-18' })
  model: string;

  @ApiProperty({ example: 'default', description: 'Name of the upstream.' })
  provider: string;

  @ApiProperty(TIME)
  at: Date;

  @ApiProperty({ enum: ['operator', 'list'] })
  source: 'operator' | 'list';

  @ApiProperty({ example: 'No operator set a price. The host api.openai.com belongs to "openai", so …' })
  reason: string;

  @ApiProperty({ type: PriceResponse, nullable: true, description: 'The price that an operator set.' })
  operator_price: PriceResponse | null;

  @ApiProperty({
    type: PublishedPriceResponse,
    nullable: true,
    description: 'Where the price is in the published list.',
  })
  list: PublishedPriceResponse | null;

  @ApiProperty({ ...WORD, example: null, description: 'Region of the host, if it changes the price.' })
  region: string | null;

  static of(found: LookedUpPrice): LookedUpPriceResponse {
    const { model, provider, atMs, row, operatorPrice, list, region, reason, factors } = found;
    return {
      model,
      provider,
      at: new Date(atMs),
      source: operatorPrice === null ? 'list' : 'operator',
      reason,
      operator_price: operatorPrice === null ? null : PriceResponse.of(operatorPrice, 'active'),
      list,
      region,
      ...termsOf({ ...row, factors }),
    };
  }
}
