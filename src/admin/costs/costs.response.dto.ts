import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { knownNanos, type CostFigures } from '../../costs/report/cost-figures.rules.js';
import { type CostQuery, dimensionOf, type Dimension, GROUPINGS, isByDay } from '../../costs/report/cost-query.js';
import type { CostGroup, CostReport, MonthFigures } from '../../costs/report/cost-report.service.js';
import { FORECAST_METHOD, type CostForecast } from '../../costs/report/forecast.rules.js';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import { TOKEN_KINDS, UNIT_KINDS, type UsageKind } from '../../costs/usage-kinds.data.js';
import { Page, pageOf } from '../page.dto.js';
import { COUNT, CURRENCY, DAY } from '../fields.data.js';

const MONEY = { type: String, pattern: '^\\d+(\\.\\d{1,9})?$', example: '12.0375' } as const;

const countsOf = (kinds: readonly UsageKind[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(kinds.map((kind) => [kind, { ...COUNT }])),
  required: [...kinds],
});

export class CostFiguresResponse {
  @ApiProperty({
    ...MONEY,
    nullable: true,
    description: 'Dollars. A lower bound if there are unpriced requests. Null if no request has a price.',
  })
  cost: string | null;

  @ApiProperty(CURRENCY)
  currency: 'USD';

  @ApiProperty({ ...COUNT, description: 'Requests that were sent to a provider.', example: 12 })
  requests: number;

  @ApiProperty({ ...COUNT, description: 'Requests that have no price, or only for a part of their usage.', example: 0 })
  unpriced_requests: number;

  @ApiProperty({ ...COUNT, description: 'Requests whose usage is an estimate, completely or in part.', example: 1 })
  estimated_requests: number;

  @ApiProperty({
    ...COUNT,
    description:
      'Requests from before costs were recorded. Their cost is computed from the input and output tokens of the day.',
    example: 0,
  })
  backfilled_requests: number;

  @ApiProperty({
    ...countsOf(TOKEN_KINDS),
    description: 'Tokens by kind. Kinds do not overlap, except that `reasoning` is part of `output`.',
  })
  tokens: Readonly<Record<string, number>>;

  @ApiProperty({ ...countsOf(UNIT_KINDS), description: 'Other billed units.' })
  units: Readonly<Record<string, number>>;

  static figures(figures: CostFigures): CostFiguresResponse {
    const nanos = knownNanos(figures);
    const { units } = figures;
    return {
      cost: nanos === null ? null : formatNanos(nanos),
      currency: 'USD',
      requests: figures.requests,
      unpriced_requests: figures.unpricedRequests,
      estimated_requests: figures.estimatedRequests,
      backfilled_requests: figures.backfilledRequests,
      tokens: Object.fromEntries(TOKEN_KINDS.map((kind) => [kind, units[kind]])),
      units: Object.fromEntries(UNIT_KINDS.map((kind) => [kind, units[kind]])),
    };
  }
}

export class CostGroupResponse extends CostFiguresResponse {
  @ApiPropertyOptional({ ...DAY, description: 'With `day` in `group_by`.' })
  day?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'With `key` in `group_by`, as `key_name`.' })
  key_id?: string;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'billing service' })
  key_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'With `team` in `group_by`, as `team_name`. Null for keys that have no team now.',
  })
  team_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'Checkout' })
  team_name?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'With `model` in `group_by`. Null for requests without a model.',
    example: 'gpt-4o-mini',
  })
  model?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'With `endpoint` in `group_by`. Null before costs were recorded.',
    example: '/v1/chat/completions',
  })
  endpoint?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'With `provider` in `group_by`: the name of the upstream. Null before costs were recorded.',
    example: 'default',
  })
  provider?: string | null;

  static of(group: CostGroup, dimension: Dimension | null): CostGroupResponse {
    return {
      ...(group.day !== null && { day: group.day }),
      ...(dimension !== null && valueOf(group, dimension)),
      ...this.figures(group),
    };
  }
}

function valueOf({ value, name }: CostGroup, dimension: Dimension) {
  if (dimension === 'key') return { key_id: value ?? undefined, key_name: name };
  return dimension === 'team' ? { team_id: value || null, team_name: name } : { [dimension]: value || null };
}

class MonthlyCost extends CostFiguresResponse {
  @ApiProperty({ pattern: '^\\d{4}-\\d{2}$', example: '2026-07' })
  month: string;

  static of({ month, ...figures }: MonthFigures): MonthlyCost {
    return { month, ...this.figures(figures) };
  }
}

class ForecastResponse {
  @ApiProperty(MONEY)
  amount: string;

  @ApiProperty(CURRENCY)
  currency: 'USD';

  @ApiProperty({
    enum: [FORECAST_METHOD],
    description: 'The average cost of the complete days of this month, for each remaining day.',
  })
  method: typeof FORECAST_METHOD;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Complete days of the average.', example: 12 })
  based_on_days: number;

  static of({ nanos, method, basedOnDays }: CostForecast): ForecastResponse {
    return { amount: formatNanos(nanos), currency: 'USD', method, based_on_days: basedOnDays };
  }
}

export class CostsResponse extends Page {
  @ApiProperty({ enum: ['costs'] })
  object: 'costs';

  @ApiProperty(DAY)
  since: string;

  @ApiProperty({ ...DAY, description: 'Last day, included.' })
  until: string;

  @ApiProperty({ enum: GROUPINGS })
  group_by: string;

  @ApiProperty({ type: CostFiguresResponse, description: 'Sums of all groups.' })
  totals: CostFiguresResponse;

  @ApiProperty({ type: [CostGroupResponse] })
  groups: CostGroupResponse[];

  @ApiProperty({ type: MonthlyCost, description: 'The current month (UTC) with the same filters.' })
  this_month: MonthlyCost;

  @ApiProperty({ type: MonthlyCost })
  last_month: MonthlyCost;

  @ApiProperty({
    type: ForecastResponse,
    nullable: true,
    description: 'Expected cost of the current month. Null until the month has a complete day with costs.',
  })
  forecast: ForecastResponse | null;

  static of(report: CostReport, { days, grouping, offset }: CostQuery): CostsResponse {
    const { totals, groups, total, thisMonth, lastMonth, forecast } = report;
    const dimension = dimensionOf(grouping);
    const shown =
      dimension !== null && isByDay(grouping) ? new Set(groups.map(({ value }) => value)).size : groups.length;
    return {
      object: 'costs',
      since: days.from,
      until: days.to,
      group_by: grouping,
      ...pageOf(total, offset, shown),
      totals: CostFiguresResponse.figures(totals),
      groups: groups.map((group) => CostGroupResponse.of(group, dimension)),
      this_month: MonthlyCost.of(thisMonth),
      last_month: MonthlyCost.of(lastMonth),
      forecast: forecast === null ? null : ForecastResponse.of(forecast),
    };
  }
}
