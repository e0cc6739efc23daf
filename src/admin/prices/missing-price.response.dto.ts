import { ApiProperty } from '@nestjs/swagger';
import { MISSING_COUNTED_MAX, type MissingPrice } from '../../costs/missing-prices.read-model.js';
import type { Recomputation } from '../../costs/recompute-costs.service.js';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import { USAGE_KIND_NAMES } from '../../costs/usage-kinds.data.js';
import { Page, pageOf } from '../page.dto.js';

const TIME = { type: 'string', format: 'date-time', example: '2026-08-01T00:00:00.000Z' } as const;

export class MissingPriceResponse {
  @ApiProperty({ example: 'acme-large-3', description: 'Model in the response, or else the requested one.' })
  model: string;

  @ApiProperty({ example: 'default', description: 'Name of the upstream.' })
  provider: string;

  @ApiProperty({
    type: 'integer',
    maximum: MISSING_COUNTED_MAX,
    example: 42,
    description: 'Requests without a complete price.',
  })
  requests: number;

  @ApiProperty({ description: 'There are more requests than `requests`.', example: false })
  requests_capped: boolean;

  @ApiProperty(TIME)
  first_used_at: Date;

  @ApiProperty(TIME)
  last_used_at: Date;

  @ApiProperty({
    ...{ type: 'object', additionalProperties: { type: 'integer' }, example: { input: 52_000, output: 9000 } },
    description: 'Units of these requests by kind.',
  })
  units: Readonly<Record<string, number>>;

  @ApiProperty({
    ...{ type: [String], enum: USAGE_KIND_NAMES, isArray: true, example: ['input', 'output'] },
    description: 'Kinds without a price. Empty: `POST /admin/prices/recompute` would price the requests.',
  })
  unpriced_kinds: readonly string[];

  static of({
    model,
    provider,
    requests,
    firstUsedAt,
    lastUsedAt,
    units,
    unpricedKinds,
  }: MissingPrice): MissingPriceResponse {
    const capped = requests > MISSING_COUNTED_MAX;
    return {
      ...{ model, provider, requests: capped ? MISSING_COUNTED_MAX : requests, requests_capped: capped },
      ...{ first_used_at: firstUsedAt, last_used_at: lastUsedAt, units, unpriced_kinds: unpricedKinds },
    };
  }
}

export class MissingPriceListResponse extends Page {
  @ApiProperty({ type: [MissingPriceResponse] })
  models: MissingPriceResponse[];

  static of({ total, models }: { total: number; models: MissingPrice[] }, offset: number): MissingPriceListResponse {
    return { ...pageOf(total, offset, models.length), models: models.map((model) => MissingPriceResponse.of(model)) };
  }
}

export class RecomputedResponse {
  @ApiProperty({ type: 'integer', minimum: 0, example: 42, description: 'Requests that now have a complete cost.' })
  recomputed: number;

  @ApiProperty({ example: '1.254', description: 'Dollars that were added to the totals.' })
  amount: string;

  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'Matching requests that still have no complete price.',
  })
  still_unpriced: number;

  static of({ recomputed, nanos, stillUnpriced }: Recomputation): RecomputedResponse {
    return { recomputed, amount: formatNanos(nanos), currency: 'USD', still_unpriced: stillUnpriced };
  }
}
