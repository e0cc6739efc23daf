import { ApiProperty } from '@nestjs/swagger';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import type { KeyCosts, UsageCost, UsageReport } from '../../stats/reports/usage-reports.read-model.js';
import type { Days } from '../../costs/days.rules.js';
import type {
  KeyUsageHistory,
  UsageFigures,
  UsageSummary,
  KeyUsageQuery,
} from '../../stats/reports/usage.read-model.js';
import { dayOf } from '../../costs/days.rules.js';
import { usageRange } from '../../stats/reports/usage-range.rules.js';
import { IsNotOnLaterDay } from '../../platform/validation/input.decorators.js';
import { QueryInteger, QueryTimestamp, QueryUuid } from '../../platform/validation/query-fields.js';
import { COUNT, CURRENCY, DAY, KEY_ID } from '../fields.data.js';

export class DaysRequest {
  @IsNotOnLaterDay('to')
  @QueryTimestamp({ description: 'First day (UTC), as a date or a time on that day.' })
  from?: number;

  @QueryTimestamp({ description: 'Last day (UTC), as a date or a time on that day. The whole day is included.' })
  to?: number;
}

export class UsageRequest extends DaysRequest {
  @QueryUuid('Only usage of this key.')
  key_id?: string;
}

export class KeyUsageRequest extends DaysRequest {
  @QueryInteger({ min: 1, max: 365, byDefault: 30 })
  daily_limit: number;

  @QueryInteger({ min: 1, max: 24, byDefault: 12 })
  monthly_limit: number;
}

export const usageRangeOf = ({ from, to }: DaysRequest, nowMs: number): Days => usageRange(from, to, nowMs);

/** Without `from` and `to` the range is unbounded. The two limits bound the response. */
export function keyUsageQueryOf({ from, to, daily_limit, monthly_limit }: KeyUsageRequest): KeyUsageQuery {
  return {
    from: from === undefined ? '0001-01-01' : dayOf(from),
    to: to === undefined ? '9999-12-31' : dayOf(to),
    days: daily_limit,
    months: monthly_limit,
  };
}

type Costs = ReadonlyMap<string, UsageCost>;

export class UsageFiguresResponse {
  @ApiProperty({ ...COUNT, description: 'Admitted requests.', example: 12 })
  requests: number;

  @ApiProperty({
    ...COUNT,
    description: 'Admitted requests with a 4xx or 5xx response, or with an error in a 200 response.',
    example: 1,
  })
  errors: number;

  @ApiProperty({ ...COUNT, example: 121 })
  input_tokens: number;

  @ApiProperty({ ...COUNT, example: 77 })
  output_tokens: number;

  @ApiProperty({ ...COUNT, example: 198 })
  total_tokens: number;

  @ApiProperty({ ...COUNT, description: 'Part of `total_tokens` that the gateway estimated.', example: 0 })
  estimated_tokens: number;

  @ApiProperty({
    ...COUNT,
    description:
      "Tokens that were read from a prompt cache. OpenAI's formats include them in `input_tokens`, Anthropic's do not.",
    example: 0,
  })
  cache_read_tokens: number;

  @ApiProperty({ ...COUNT, description: 'Tokens that were written to a prompt cache, in the same way.', example: 0 })
  cache_write_tokens: number;

  @ApiProperty({
    type: String,
    nullable: true,
    pattern: '^[0-9]+(\\.[0-9]{1,9})?$',
    example: '0.0000643',
    description: 'Cost in dollars. Null if it is unknown. A lower bound if `unpriced_requests` is not 0.',
  })
  cost: string | null;

  @ApiProperty({ ...COUNT, description: 'Requests without a price for at least a part of their usage.', example: 0 })
  unpriced_requests: number;

  /** @param cost absent if no request was sent to a provider, or if the usage is older than the costs */
  static figures(
    { requests, errors, inputTokens, outputTokens, estimatedTokens }: UsageFigures,
    cost: UsageCost | null | undefined,
  ): UsageFiguresResponse {
    return {
      requests,
      errors,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      estimated_tokens: estimatedTokens,
      cache_read_tokens: cost?.cacheReadTokens ?? 0,
      cache_write_tokens: cost?.cacheWriteTokens ?? 0,
      cost: dollarsOf(cost, inputTokens + outputTokens),
      unpriced_requests: cost?.unpricedRequests ?? 0,
    };
  }
}

class DailyUsage extends UsageFiguresResponse {
  @ApiProperty(DAY)
  date: string;

  static of({ day, ...figures }: UsageSummary['daily'][number], costs: Costs): DailyUsage {
    return { date: day, ...this.figures(figures, costs.get(day)) };
  }
}

class MonthlyUsage extends UsageFiguresResponse {
  @ApiProperty({ pattern: '^\\d{4}-\\d{2}$', example: '2026-07' })
  month: string;

  static of({ month, ...figures }: KeyUsageHistory['monthly'][number], costs: Costs): MonthlyUsage {
    return { month, ...this.figures(figures, costs.get(month)) };
  }
}

class UsageOfKey extends UsageFiguresResponse {
  @ApiProperty(KEY_ID)
  key_id: string;

  @ApiProperty({ type: String, nullable: true, example: 'billing service' })
  key_name: string | null;

  static of({ keyId, keyName, ...figures }: UsageSummary['byKey'][number], costs: Costs): UsageOfKey {
    return { key_id: keyId, key_name: keyName, ...this.figures(figures, costs.get(keyId)) };
  }
}

class UsageOfModel extends UsageFiguresResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null for requests without a model.',
    example: 'gpt-4o-mini',
  })
  model: string | null;

  static of({ model, ...figures }: UsageSummary['byModel'][number], costs: Costs): UsageOfModel {
    return { model, ...this.figures(figures, costs.get(model ?? '')) };
  }
}

export class UsageResponse {
  @ApiProperty({ enum: ['usage'] })
  object: 'usage';

  @ApiProperty(DAY)
  from: string;

  @ApiProperty({ ...DAY, description: 'Last day, included.' })
  to: string;

  @ApiProperty({ type: UsageFiguresResponse })
  totals: UsageFiguresResponse;

  @ApiProperty({
    ...COUNT,
    description:
      'Requests that were not admitted. `requests` and `errors` do not include them. `GET /admin/request-errors` has the reasons.',
    example: 0,
  })
  rejected_requests: number;

  @ApiProperty({ type: [DailyUsage], description: 'Days with usage, newest first.' })
  daily: DailyUsage[];

  @ApiProperty({ type: [UsageOfKey], description: 'The 500 keys with the most requests, in descending order.' })
  by_key: UsageOfKey[];

  @ApiProperty({ type: [UsageOfModel], description: 'The 500 models with the most requests, in descending order.' })
  by_model: UsageOfModel[];

  @ApiProperty(CURRENCY)
  currency: 'USD';

  static of({ from, to }: Days, { usage, rejected, costs }: UsageReport): UsageResponse {
    const { totals, daily, byKey, byModel } = usage;
    return {
      object: 'usage',
      from,
      to,
      totals: UsageFiguresResponse.figures(totals, costs.total),
      rejected_requests: rejected,
      daily: daily.map((day) => DailyUsage.of(day, costs.days)),
      by_key: byKey.map((key) => UsageOfKey.of(key, costs.keys)),
      by_model: byModel.map((model) => UsageOfModel.of(model, costs.models)),
      currency: 'USD',
    };
  }
}

export class KeyUsageResponse {
  @ApiProperty(KEY_ID)
  key_id: string;

  @ApiProperty({ type: [DailyUsage], description: 'Days with usage, newest first.' })
  daily: DailyUsage[];

  @ApiProperty({ type: [MonthlyUsage], description: 'Whole months with usage, newest first.' })
  monthly: MonthlyUsage[];

  @ApiProperty(CURRENCY)
  currency: 'USD';

  static of(keyId: string, { daily, monthly }: KeyUsageHistory, { days, months }: KeyCosts): KeyUsageResponse {
    return {
      key_id: keyId,
      daily: daily.map((day) => DailyUsage.of(day, days)),
      monthly: monthly.map((month) => MonthlyUsage.of(month, months)),
      currency: 'USD',
    };
  }
}

/** Usage without costs is not free if it has tokens: its release did not compute costs. */
function dollarsOf(cost: UsageCost | null | undefined, tokens: number): string | null {
  if (!cost) return tokens === 0 ? '0' : null;
  return cost.nanos === null ? null : formatNanos(cost.nanos);
}
