import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import type { Compared, ComparedDay, ComparedModel } from '../../costs/reconcile/comparison.rules.js';
import { differenceOf, type Difference } from '../../costs/reconcile/differences.rules.js';
import { EXPORT_FORMATS, type ExportFormat } from '../../costs/reconcile/export-formats.data.js';
import { CAUSE_CODES, type Cause } from '../../costs/reconcile/likely-causes.rules.js';
import { COUNTS, type Measure } from '../../costs/reconcile/measures.data.js';
import type { Reconciliation, ReconcileInput } from '../../costs/reconcile/reconciliations.service.js';
import { ApiField, CanBeAbsent, IsStoredText } from '../../platform/validation/input.decorators.js';

import { COUNT, DAY } from '../fields.data.js';
import { QueryFormat, type DownloadFormat } from '../csv-download.js';

const FORMATS = ['auto', ...EXPORT_FORMATS] as const;

export class ReconciliationRequest {
  @ApiField({
    example: 'start_time_iso,amount_value,amount_currency\n2026-07-31T00:00:00Z,12.5,usd\n',
    description: "The text of the provider's CSV export, at most 8 MiB.",
  })
  @Matches(/\S/, { message: 'the text of a CSV file' })
  @IsString()
  csv: string;

  @ApiField({
    example: 'auto',
    default: 'auto',
    description: 'The format of the export. `auto` decides by its header.',
  })
  @IsIn(FORMATS)
  @CanBeAbsent()
  format?: ExportFormat | 'auto';

  @ApiField({
    example: 'openai',
    description: 'Only records of this upstream of `GW_UPSTREAMS`. With a single account: `default` or `messages`.',
  })
  @IsStoredText(63)
  @IsOptional()
  provider?: string | null;
}

export class ReconciliationQuery {
  @QueryFormat('The format of the response. `Accept: text/csv` also selects CSV.')
  output: DownloadFormat;
}

export const reconcileInputOf = ({ csv, format, provider }: ReconciliationRequest): ReconcileInput => ({
  csv,
  format: format ?? 'auto',
  provider: provider ?? null,
});

const PERCENT = {
  type: String,
  nullable: true,
  example: '-4.00',
  description: "Percentage of the provider's figure, with two decimals. Null if the provider's figure is 0.",
} as const;

class AmountDifference {
  @ApiProperty({ example: '12.5', description: 'Dollars.' })
  provider: string;

  @ApiProperty({ example: '12' })
  gateway: string;

  @ApiProperty({ example: '-0.5', description: "The gateway's amount minus the provider's." })
  difference: string;

  @ApiProperty(PERCENT)
  difference_percent: string | null;

  static of({ provider, gateway, difference, percent }: Difference): AmountDifference {
    return {
      provider: formatNanos(provider),
      gateway: formatNanos(gateway),
      difference: formatNanos(difference),
      difference_percent: percent,
    };
  }
}

class CountDifference {
  @ApiProperty({ ...COUNT, example: 125 })
  provider: number;

  @ApiProperty({ ...COUNT, example: 120 })
  gateway: number;

  @ApiProperty({ type: 'integer', example: -5, description: "The gateway's figure minus the provider's." })
  difference: number;

  @ApiProperty(PERCENT)
  difference_percent: string | null;

  static of({ provider, gateway, difference, percent }: Difference): CountDifference {
    const counts = { provider: Number(provider), gateway: Number(gateway), difference: Number(difference) };
    return { ...counts, difference_percent: percent };
  }
}

const FOUND_IN = ['both', 'provider', 'gateway'] as const satisfies readonly Compared['foundIn'][];
const ABSENT = 'Null if the export does not have it.';
const count = (description: string) => ({
  type: CountDifference,
  nullable: true,
  description: `${description} ${ABSENT}`,
});

class ComparedResponse {
  @ApiProperty({ enum: FOUND_IN, example: 'both' })
  found_in: Compared['foundIn'];

  @ApiProperty({ example: false, description: 'Whether the figures are equal, except for the rounding of the export.' })
  matches: boolean;

  @ApiProperty({ type: AmountDifference, nullable: true, description: ABSENT })
  cost: AmountDifference | null;

  @ApiProperty(count('Requests.'))
  requests: CountDifference | null;

  @ApiProperty(count('All input tokens, including caches.'))
  input_tokens: CountDifference | null;

  @ApiProperty(count('Input tokens that were read from a cache.'))
  cached_input_tokens: CountDifference | null;

  @ApiProperty(count('Input tokens that were written to a cache.'))
  cache_write_tokens: CountDifference | null;

  @ApiProperty(count('Output tokens.'))
  output_tokens: CountDifference | null;

  @ApiProperty(count('Web searches of the provider.'))
  web_searches: CountDifference | null;

  @ApiProperty({ ...COUNT, example: 120, description: 'Requests that the gateway recorded.' })
  gateway_requests: number;

  @ApiProperty({ ...COUNT, example: 0, description: "If it is not 0, the gateway's cost is a lower bound." })
  unpriced_requests: number;

  @ApiProperty({ ...COUNT, example: 0, description: 'Requests whose usage the gateway estimated.' })
  estimated_requests: number;

  @ApiProperty({
    ...COUNT,
    example: 0,
    description: 'Requests that were recorded before the release that introduced costs.',
  })
  backfilled_requests: number;

  static compared(compared: Compared, has: ReadonlySet<Measure>): ComparedResponse {
    const counts = COUNTS.map(
      (measure) => [measure, has.has(measure) ? CountDifference.of(differenceOf(compared, measure)) : null] as const,
    );
    return {
      found_in: compared.foundIn,
      matches: compared.matches,
      cost: has.has('cost') ? AmountDifference.of(differenceOf(compared, 'cost')) : null,
      ...(Object.fromEntries(counts) as Record<(typeof COUNTS)[number], CountDifference | null>),
      gateway_requests: compared.requests,
      unpriced_requests: compared.unpricedRequests,
      estimated_requests: compared.estimatedRequests,
      backfilled_requests: compared.backfilledRequests,
    };
  }
}

class ComparedDayResponse extends ComparedResponse {
  @ApiProperty(DAY)
  date: string;

  static of(day: ComparedDay, has: ReadonlySet<Measure>): ComparedDayResponse {
    return { date: day.day, ...this.compared(day, has) };
  }
}

class ComparedModelResponse extends ComparedResponse {
  @ApiProperty(DAY)
  date: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'gpt-5-mini',
    description: 'Without a date if models of both sides are compared as one. Null for usage without a model.',
  })
  model: string | null;

  @ApiProperty({ type: [String], example: ['gpt-5-mini-2025-08-07'], description: 'Its models in the export.' })
  provider_models: readonly string[];

  @ApiProperty({ type: [String], example: ['gpt-5-mini'], description: "Its models in the gateway's records." })
  gateway_models: readonly string[];

  static of(model: ComparedModel, has: ReadonlySet<Measure>): ComparedModelResponse {
    const names = { provider_models: model.providerModels, gateway_models: model.gatewayModels };
    return { date: model.day, model: model.model === '' ? null : model.model, ...names, ...this.compared(model, has) };
  }
}

class CauseResponse {
  @ApiProperty({ enum: CAUSE_CODES, example: 'unpriced_models' })
  code: Cause['code'];

  @ApiProperty({ example: 'The gateway has no complete price for 2 requests, so its costs are lower bounds.' })
  message: string;
}

export class ReconciliationResponse {
  @ApiProperty({ enum: ['cost_reconciliation'] })
  object: 'cost_reconciliation';

  @ApiProperty({ enum: EXPORT_FORMATS, example: 'openai_costs' })
  format: ExportFormat;

  @ApiProperty({ type: String, nullable: true, example: 'openai', description: 'As in the request.' })
  provider: string | null;

  @ApiProperty({ type: [String], example: ['openai'], description: "Upstreams that the gateway's figures are from." })
  upstreams: readonly string[];

  @ApiProperty(DAY)
  from: string;

  @ApiProperty({ ...DAY, description: 'Last day, included.' })
  to: string;

  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';

  @ApiProperty({
    example:
      'On 2026-07-31, the provider billed $12.5 and the gateway recorded $12: $0.5 less (-4.00 %). 1 of 1 day differs.',
  })
  summary: string;

  @ApiProperty({ type: [CauseResponse], description: 'Most likely first. Empty if there is no difference.' })
  causes: readonly CauseResponse[];

  @ApiProperty({ ...COUNT, example: 1, description: 'Rows of the export below its header.' })
  rows: number;

  @ApiProperty({
    ...COUNT,
    example: 0,
    description: 'Amounts with more than nine decimals. Each was rounded once, half away from zero.',
  })
  rounded_amounts: number;

  @ApiProperty({
    type: [String],
    example: ['organization_id'],
    description: 'Columns of the export that are not used.',
  })
  ignored_columns: readonly string[];

  @ApiProperty({ type: ComparedResponse })
  totals: ComparedResponse;

  @ApiProperty({ type: [ComparedDayResponse], description: 'UTC days with usage on at least one side, oldest first.' })
  days: ComparedDayResponse[];

  @ApiProperty({
    type: [ComparedModelResponse],
    nullable: true,
    description: 'By day and model. Null if the export has no models.',
  })
  models: ComparedModelResponse[] | null;

  static of({ file, comparison, provider, upstreams, summary, causes }: Reconciliation): ReconciliationResponse {
    const has = new Set(file.measures.keys());
    return {
      object: 'cost_reconciliation',
      format: file.format,
      provider,
      upstreams,
      from: file.from,
      to: file.to,
      currency: 'USD',
      summary,
      causes,
      rows: file.rows,
      rounded_amounts: file.rounded,
      ignored_columns: file.ignored,
      totals: ComparedResponse.compared(comparison.totals, has),
      days: comparison.days.map((day) => ComparedDayResponse.of(day, has)),
      models: comparison.models?.map((model) => ComparedModelResponse.of(model, has)) ?? null,
    };
  }
}
