import { ApiProperty } from '@nestjs/swagger';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import type { TokenUsage } from '../../platform/request-context/token-usage.js';
import type { RequestLog, RequestLogPage, RequestLogFilter } from '../../stats/reports/request-logs.read-model.js';
import { CappedPage, CappedPageRequest } from '../page.dto.js';
import { CostDetailsResponse } from './cost-details.dto.js';
import { IsNotAfter } from '../../platform/validation/input.decorators.js';
import { QueryInteger, QueryText, QueryTimestamp, QueryUuid } from '../../platform/validation/query-fields.js';
import { DOLLARS, TIME } from '../fields.data.js';

const TEXT = { min: 1, max: 200 } as const;

export class ListRequestLogsRequest extends CappedPageRequest {
  @QueryUuid(
    'The `X-Request-Id` of a response. It also finds rejected requests from the last 7 days that were not sampled.',
  )
  request_id?: string;

  @QueryUuid('Only requests of this key.')
  key_id?: string;

  @QueryText({ ...TEXT, description: 'Exact model ID in the request.' })
  model?: string;

  @QueryText({ ...TEXT, description: 'Path template of the route, such as `/v1/files/{file_id}`.' })
  endpoint?: string;

  @QueryInteger({ min: 100, max: 599, description: 'Response status. 499 if the client disconnected first.' })
  status?: number;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest start of a request.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest start of a request. Use the same value for all pages.' })
  until?: number;
}

export function requestLogFilterOf(query: ListRequestLogsRequest): RequestLogFilter {
  const { request_id = null, key_id = null, model = null, endpoint = null, status = null } = query;
  const { since = null, until = null } = query;
  return { requestId: request_id, keyId: key_id, model, endpoint, status, sinceMs: since, untilMs: until };
}

const REQUEST_ID = { format: 'uuid', example: '0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57' } as const;
const TOKENS = { type: 'integer', minimum: 0 } as const;
const MILLISECONDS = { type: 'integer', minimum: 0 } as const;

class AttemptResponse {
  @ApiProperty({ example: 'openai', description: 'Name of the upstream.' })
  upstream: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'gpt-4o-mini',
    description: 'Model that was sent upstream. Null for a request without a model.',
  })
  model: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 429, description: 'Null if there was no response.' })
  status: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description:
      'Why there was no response: a `reason` of the metric `gateway_upstream_failures_total`, or `aborted` if the client did not wait for it.',
  })
  error: string | null;

  @ApiProperty({ ...MILLISECONDS, example: 95, description: 'Until the status or the failure.' })
  ms: number;
}

export class RequestLogResponse {
  @ApiProperty(REQUEST_ID)
  id: string;

  @ApiProperty({ ...REQUEST_ID, description: 'The same as `id`.' })
  request_id: string;

  @ApiProperty({ format: 'uuid', example: '5f0c2f7e-9d3b-4c1a-8e55-0a1b2c3d4e5f' })
  key_id: string;

  @ApiProperty({ type: String, nullable: true, example: 'billing service' })
  key_name: string | null;

  @ApiProperty({ example: 'POST' })
  method: string;

  @ApiProperty({ description: 'Path template of the route.', example: '/v1/chat/completions' })
  endpoint: string;

  @ApiProperty({ type: String, nullable: true, description: 'Model in the request.', example: 'gpt-4o-mini' })
  model: string | null;

  @ApiProperty({ type: 'integer', description: 'Response status. 499 if the client disconnected first.', example: 429 })
  status: number;

  @ApiProperty({ type: String, nullable: true, example: 'rate_limit_exceeded' })
  error_code: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Error message of the response.',
    example: 'Rate limit exceeded: requests per minute',
  })
  error_message: string | null;

  @ApiProperty({ example: false })
  stream: boolean;

  @ApiProperty({ ...MILLISECONDS, description: 'From the request headers to the end of the response.', example: 840 })
  latency_ms: number;

  @ApiProperty({
    ...MILLISECONDS,
    nullable: true,
    description:
      'Until the response headers of the upstream, or until a request without a response ended. Null if no upstream received the request.',
    example: 815,
  })
  upstream_latency_ms: number | null;

  @ApiProperty({ ...TOKENS, example: 11 })
  input_tokens: number;

  @ApiProperty({ ...TOKENS, example: 7 })
  output_tokens: number;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'azure',
    description: 'Upstream of `GW_UPSTREAMS` that the request was sent to last. Null with a single account.',
  })
  upstream: string | null;

  @ApiProperty({
    type: [AttemptResponse],
    nullable: true,
    description: 'Attempts at upstreams of `GW_UPSTREAMS`, in order. Null if there were none.',
  })
  attempts: readonly AttemptResponse[] | null;

  @ApiProperty({
    enum: ['reported', 'partial', 'estimated', 'none'],
    nullable: true,
    example: 'reported',
    description:
      'Source of the tokens. `partial` if the stream was interrupted after a part of the report. Null in rows of earlier releases.',
  })
  usage_source: TokenUsage['provenance'] | null;

  @ApiProperty({
    ...DOLLARS,
    nullable: true,
    example: '0.00000585',
    description: 'Cost in dollars. Null if it is unknown. A lower bound if `cost_details.unpriced` is not empty.',
  })
  cost: string | null;

  @ApiProperty({ enum: ['USD'] })
  currency: 'USD';

  @ApiProperty({
    type: CostDetailsResponse,
    nullable: true,
    description: 'How the cost was computed. Null for a request that was sent to no provider.',
  })
  cost_details: CostDetailsResponse | null;

  static of(log: RequestLog): RequestLogResponse {
    return {
      id: log.id,
      request_id: log.id,
      key_id: log.keyId,
      key_name: log.keyName,
      method: log.method,
      endpoint: log.endpoint,
      model: log.model,
      status: log.status,
      error_code: log.errorCode,
      error_message: log.errorMessage,
      stream: log.stream,
      latency_ms: log.latencyMs,
      upstream_latency_ms: log.upstreamLatencyMs,
      input_tokens: log.inputTokens,
      output_tokens: log.outputTokens,
      created_at: log.createdAt,
      upstream: log.upstream,
      attempts: log.attempts,
      usage_source: log.usageSource,
      cost: log.costNanos === null ? null : formatNanos(BigInt(log.costNanos)),
      currency: 'USD',
      cost_details: log.cost === null ? null : CostDetailsResponse.of(log.cost),
    };
  }
}

export class RequestLogListResponse extends CappedPage {
  @ApiProperty({ type: [RequestLogResponse] })
  logs: RequestLogResponse[];

  static of({ found, logs }: RequestLogPage, offset: number): RequestLogListResponse {
    return { ...this.pageOf(found, offset, logs.length), logs: logs.map((log) => RequestLogResponse.of(log)) };
  }
}
