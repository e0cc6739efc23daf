import { ApiProperty } from '@nestjs/swagger';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import {
  type KeyStatisticsRow,
  type StatisticsRow,
  type StatisticsQuery,
  type StatisticsSort,
  ENDPOINT_SORTS,
  TOKEN_SORTS,
} from '../../stats/aggregates/statistics-query.js';
import { IsNotAfter } from '../../platform/validation/input.decorators.js';
import {
  QueryEnum,
  QueryInteger,
  QueryText,
  QueryTimestamp,
  QueryUuid,
} from '../../platform/validation/query-fields.js';
import { COUNT } from '../fields.data.js';

const DEFAULT_SPAN_MS = 30 * 86_400_000;
/** The earliest time that both the database and ISO 8601 write with four digits. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');

class StatisticsRequest {
  @QueryUuid('Only requests of this key.')
  key_id?: string;

  @QueryText({ max: 200, description: 'Only requests for this model.' })
  model?: string;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest time. The default is 30 days before `until`.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest time. The default is now.' })
  until?: number;

  @QueryInteger({ min: 1, max: 500, byDefault: 20 })
  limit: number;

  @QueryEnum(['asc', 'desc'], { byDefault: 'desc' })
  sort_dir: 'asc' | 'desc';
}

export class EndpointStatsRequest extends StatisticsRequest {
  @QueryEnum(ENDPOINT_SORTS, { byDefault: 'request_count' })
  sort_by: (typeof ENDPOINT_SORTS)[number];
}

export class TokenStatsRequest extends StatisticsRequest {
  @QueryEnum(TOKEN_SORTS, { byDefault: 'request_count' })
  sort_by: StatisticsSort;
}

export function statisticsQueryOf(query: EndpointStatsRequest | TokenStatsRequest, nowMs: number): StatisticsQuery {
  const { key_id: keyId = null, model = null, until: untilMs = null, limit } = query;
  // Relative to `until`, so that a range that ends in the past is not empty.
  const { since: sinceMs = Math.max(FIRST_MS, Math.min(nowMs, untilMs ?? nowMs) - DEFAULT_SPAN_MS) } = query;
  return { keyId, model, sinceMs, untilMs, limit, sortBy: query.sort_by, sortDir: query.sort_dir };
}

const RATE = {
  type: 'number',
  minimum: 0,
  maximum: 100,
  example: 7.32,
  description: 'Percentage of requests that failed, with two decimals.',
} as const;
const LATENCY = { type: 'number', minimum: 0, nullable: true, example: 412.5 } as const;
const PERCENTILE = {
  ...LATENCY,
  description:
    'Nearest-rank percentile. It is off by at most 1.1% for hours that are summed up, and never above the maximum.',
};

class CountsResponse {
  @ApiProperty(COUNT)
  request_count: number;

  @ApiProperty({ ...COUNT, description: 'Requests with a 4xx or 5xx response.' })
  error_count: number;

  @ApiProperty(RATE)
  error_rate: number;

  @ApiProperty({
    type: String,
    nullable: true,
    pattern: '^\\d+(\\.\\d{1,9})?$',
    example: '0.0375',
    description: 'Dollars. A lower bound if there are unpriced requests. Null if no request has a price.',
  })
  cost: string | null;

  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';

  @ApiProperty({ ...COUNT, description: 'Requests that have no price, or only for a part of their usage.' })
  unpriced_requests: number;

  @ApiProperty(LATENCY)
  avg_latency_ms: number | null;

  @ApiProperty(LATENCY)
  max_latency_ms: number | null;

  @ApiProperty(PERCENTILE)
  p50_latency_ms: number | null;

  @ApiProperty(PERCENTILE)
  p95_latency_ms: number | null;
}

class TokenCountsResponse extends CountsResponse {
  @ApiProperty(COUNT)
  input_tokens: number;

  @ApiProperty(COUNT)
  output_tokens: number;

  @ApiProperty(COUNT)
  total_tokens: number;
}

class EndpointStatsRow extends CountsResponse {
  @ApiProperty({ example: '/v1/chat/completions', description: 'Path template of the route.' })
  endpoint: string;

  @ApiProperty({ ...COUNT, description: 'Requests with a 4xx response.' })
  client_error_count: number;

  @ApiProperty({ ...COUNT, description: 'Requests with a 5xx response.' })
  server_error_count: number;
}

export class EndpointStatsResponse {
  @ApiProperty({ type: [EndpointStatsRow] })
  endpoints: EndpointStatsRow[];

  static of(rows: readonly StatisticsRow[]): EndpointStatsResponse {
    return {
      endpoints: rows.map((row) => ({
        endpoint: row.value,
        client_error_count: row.clientErrors,
        server_error_count: row.serverErrors,
        ...countsOf(row),
      })),
    };
  }
}

class ModelCountResponse {
  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty(COUNT)
  count: number;
}

class KeyStatsRow extends TokenCountsResponse {
  @ApiProperty({ format: 'uuid', example: '7f0c8a52-3f5e-4a53-9d0c-1f6b2f7f9d11' })
  key_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'billing service',
    description: 'Null if the key no longer exists.',
  })
  key_name: string | null;

  @ApiProperty({ type: [ModelCountResponse], description: 'The ten most requested models.' })
  top_models: ModelCountResponse[];
}

export class KeyStatsResponse {
  @ApiProperty({ type: [KeyStatsRow] })
  keys: KeyStatsRow[];

  static of(rows: readonly KeyStatisticsRow[]): KeyStatsResponse {
    return {
      keys: rows.map((row) => ({
        key_id: row.value,
        key_name: row.keyName,
        ...tokenCountsOf(row),
        top_models: [...row.topModels],
      })),
    };
  }
}

class ModelStatsRow extends TokenCountsResponse {
  @ApiProperty({ example: 'gpt-4o-mini', description: 'Model as named in the requests.' })
  model: string;
}

export class ModelStatsResponse {
  @ApiProperty({ type: [ModelStatsRow] })
  models: ModelStatsRow[];

  static of(rows: readonly StatisticsRow[]): ModelStatsResponse {
    return { models: rows.map((row) => ({ model: row.value, ...tokenCountsOf(row) })) };
  }
}

function countsOf(row: StatisticsRow): CountsResponse {
  const errors = row.clientErrors + row.serverErrors;
  return {
    request_count: row.requests,
    error_count: errors,
    error_rate: hundredths((100 * errors) / row.requests),
    cost: row.costNanos === 0 && row.unpricedRequests > 0 ? null : formatNanos(BigInt(row.costNanos)),
    currency: 'USD',
    unpriced_requests: row.unpricedRequests,
    avg_latency_ms: hundredths(row.latencySumMs / row.requests),
    max_latency_ms: row.latencyMaxMs,
    p50_latency_ms: hundredths(row.p50LatencyMs),
    p95_latency_ms: hundredths(row.p95LatencyMs),
  };
}

function tokenCountsOf(row: StatisticsRow): TokenCountsResponse {
  const { inputTokens, outputTokens } = row;
  return {
    ...countsOf(row),
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;
