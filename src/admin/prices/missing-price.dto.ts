import { ApiProperty } from '@nestjs/swagger';
import type { BackfilledMissingPrice, MissingPrice } from '../../costs/missing-prices.read-model.js';
import type { Recomputation } from '../../costs/recompute-costs.service.js';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import { USAGE_KIND_NAMES } from '../../costs/usage-kinds.data.js';
import { Page, pageOf } from '../page.dto.js';
import { DAY, TIME } from '../fields.data.js';

const UnpricedKinds = (): PropertyDecorator =>
  ApiProperty({
    type: [String],
    enum: USAGE_KIND_NAMES,
    isArray: true,
    example: ['input', 'output'],
    description: 'Kinds without a price. Empty: `POST /admin/prices/recompute` would price the requests.',
  });

class MissingPriceResponse {
  @ApiProperty({ example: 'acme-large-3', description: 'Model in the response, otherwise the requested one.' })
  model: string;

  @ApiProperty({ example: 'default', description: 'Name of the upstream.' })
  provider: string;

  @ApiProperty({
    type: 'integer',
    example: 42,
    description: 'Requests without a complete price. With many of them, only the newest are counted, at least 10,000.',
  })
  requests: number;

  @ApiProperty({ description: 'There are more requests than `requests`.', example: false })
  requests_capped: boolean;

  @ApiProperty(TIME)
  first_used_at: Date;

  @ApiProperty(TIME)
  last_used_at: Date;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { input: 52_000, output: 9000 },
    description: 'Units of these requests by kind.',
  })
  units: Readonly<Record<string, number>>;

  @UnpricedKinds()
  unpriced_kinds: readonly string[];

  static of({ model, provider, requests, units, ...used }: MissingPrice): MissingPriceResponse {
    return {
      model,
      provider,
      requests,
      requests_capped: used.hasMore,
      first_used_at: used.firstUsedAt,
      last_used_at: used.lastUsedAt,
      units,
      unpriced_kinds: used.unpricedKinds,
    };
  }
}

class BackfilledMissingPriceResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'acme-large-3',
    description: 'Null for requests without a model.',
  })
  model: string | null;

  @ApiProperty({ type: 'integer', example: 42 })
  requests: number;

  @ApiProperty(DAY)
  first_day: string;

  @ApiProperty(DAY)
  last_day: string;

  @ApiProperty({ type: 'integer', example: 52_000 })
  input_tokens: number;

  @ApiProperty({ type: 'integer', example: 9000 })
  output_tokens: number;

  @UnpricedKinds()
  unpriced_kinds: readonly string[];

  static of({ model, requests, firstDay, lastDay, ...used }: BackfilledMissingPrice): BackfilledMissingPriceResponse {
    return {
      model: model || null,
      requests,
      first_day: firstDay,
      last_day: lastDay,
      input_tokens: used.inputTokens,
      output_tokens: used.outputTokens,
      unpriced_kinds: used.unpricedKinds,
    };
  }
}

export class MissingPriceListResponse extends Page {
  @ApiProperty({ type: [MissingPriceResponse] })
  models: MissingPriceResponse[];

  @ApiProperty({
    type: [BackfilledMissingPriceResponse],
    description: 'Models of days before costs were recorded, regardless of `limit` and `offset`. At most 1,000.',
  })
  backfilled: BackfilledMissingPriceResponse[];

  static of(
    { total, models }: { total: number; models: MissingPrice[] },
    backfilled: readonly BackfilledMissingPrice[],
    offset: number,
  ): MissingPriceListResponse {
    return {
      ...pageOf(total, offset, models.length),
      models: models.map((model) => MissingPriceResponse.of(model)),
      backfilled: backfilled.map((model) => BackfilledMissingPriceResponse.of(model)),
    };
  }
}

export class RecomputedResponse {
  @ApiProperty({ type: 'integer', minimum: 0, example: 42, description: 'Requests that now have a complete cost.' })
  recomputed: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'Those of them that are from days before costs were recorded.',
  })
  backfilled: number;

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

  static of({ recomputed, backfilled, nanos, stillUnpriced }: Recomputation): RecomputedResponse {
    return { recomputed, backfilled, amount: formatNanos(nanos), currency: 'USD', still_unpriced: stillUnpriced };
  }
}
