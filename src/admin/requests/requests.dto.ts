import { ApiProperty } from '@nestjs/swagger';
import { parseDollars } from '../../costs/pricing/price-text.rules.js';
import { CheckedBy, Compared, IsNotAfter } from '../../platform/validation/input.decorators.js';
import {
  QueryEnum,
  QueryInteger,
  QueryText,
  QueryTimestamp,
  QueryUuid,
} from '../../platform/validation/query-fields.js';
import {
  REQUEST_SORTS,
  type ListedRequest,
  type RequestFilter,
  type RequestListPage,
  type RequestListQuery,
  type RequestSort,
} from '../../stats/reports/request-list.read-model.js';
import { dollarsProblem } from '../dollars.rules.js';
import { RequestLogResponse } from '../logs/request-logs.dto.js';
import { QueryTag } from '../teams/tags.decorators.js';
import { cursorOf, positionIn } from './request-cursor-text.rules.js';
import { ID_PREFIX, requestIdRange } from './request-id-range.rules.js';
import { QueryFormat, type DownloadFormat } from '../csv-download.js';

const TEXT = { min: 1, max: 200 } as const;
const STATUS = /^(?:[1-5]\d\d|[45]xx|error)$/;
const CURSOR_LENGTH_MAX = 200;
const COST = { min: 1n, max: 1_000_000_000_000_000n, maxText: '1000000' } as const;

export class ListRequestsRequest {
  @QueryText({
    pattern: ID_PREFIX,
    expected: 'a request ID or the beginning of one, such as 0198c0de-6b2c',
    description: 'The `X-Request-Id` of a response, or the beginning of it.',
  })
  request_id?: string;

  @QueryUuid('Only requests of this key.')
  key_id?: string;

  @QueryUuid('Only requests of the keys that belong to this team now.')
  team_id?: string;

  @QueryTag('Only requests of the keys that have this tag now, or whose team has it.')
  tag?: string;

  @QueryText({ ...TEXT, description: 'Exact model ID in the request.' })
  model?: string;

  @QueryText({ ...TEXT, description: 'Path template of the route, such as `/v1/files/{file_id}`.' })
  endpoint?: string;

  @QueryText({
    pattern: STATUS,
    expected: "a status such as 429, '4xx', '5xx', or 'error' for both",
    description:
      'Response status, or a class of them: `4xx`, `5xx`, or `error` for both. 499: the client disconnected.',
  })
  status?: string;

  @QueryText({ ...TEXT, description: 'Exact error code of the response, such as `rate_limit_exceeded`.' })
  error_code?: string;

  @QueryText({ min: 1, max: 63, description: 'Upstream of `GW_UPSTREAMS` that the request was sent to last.' })
  upstream?: string;

  @QueryInteger({ min: 0, max: 2_147_483_647, description: 'Lowest latency, in milliseconds.' })
  latency_min_ms?: number;

  @CheckedBy((value, { param }) => dollarsProblem(value, param, COST))
  @QueryText({ description: 'Lowest cost, in dollars. Requests without a price are omitted.' })
  cost_min?: string;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest start of a request.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest start of a request.' })
  until?: number;

  @QueryEnum(REQUEST_SORTS, {
    byDefault: 'time',
    description: 'Descending order. `cost` omits requests without a price.',
  })
  sort: RequestSort;

  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit: number;

  @Compared<Required<ListRequestsRequest>>(
    ({ cursor, sort }) => positionIn(cursor, sort) !== null,
    'the `next_cursor` of a page with the same `sort`',
  )
  @QueryText({ ...TEXT, max: CURSOR_LENGTH_MAX, description: '`next_cursor` of the page before.' })
  cursor?: string;

  @QueryFormat('CSV has all matching requests, regardless of `limit`.')
  format: DownloadFormat;
}

export function requestListQueryOf(query: ListRequestsRequest): RequestListQuery {
  const { sort, cursor, limit } = query;
  return { filter: filterOf(query), sort, after: cursor === undefined ? null : positionIn(cursor, sort), limit };
}

function filterOf(query: ListRequestsRequest): RequestFilter {
  const { request_id: prefix, cost_min: costMin } = query;
  return {
    keyId: query.key_id,
    teamId: query.team_id,
    tag: query.tag,
    model: query.model,
    endpoint: query.endpoint,
    upstream: query.upstream,
    errorCode: query.error_code,
    ...statusesOf(query.status),
    latencyMsMin: query.latency_min_ms,
    costNanosMin: costMin === undefined ? undefined : parseDollars(costMin)!,
    sinceMs: query.since,
    untilMs: query.until,
    ids: prefix === undefined ? undefined : requestIdRange(prefix),
  };
}

function statusesOf(status: string | undefined): Pick<RequestFilter, 'statusFrom' | 'statusTo'> {
  if (status === undefined) return {};
  if (status === 'error') return { statusFrom: 400, statusTo: 599 };
  return { statusFrom: Number(status.replace('xx', '00')), statusTo: Number(status.replace('xx', '99')) };
}

export class ListedRequestResponse extends RequestLogResponse {
  @ApiProperty({ type: String, nullable: true, format: 'uuid', description: 'Team of the key now.', example: null })
  team_id: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'checkout' })
  team_name: string | null;

  @ApiProperty({
    example: false,
    description:
      'Whether the request is in the sample, which is kept for 365 days and counted by the statistics. Other requests are kept for 7 days.',
  })
  sampled: boolean;

  static listed({ teamId, teamName, sampled, ...log }: ListedRequest): ListedRequestResponse {
    return { ...RequestLogResponse.of(log), team_id: teamId, team_name: teamName, sampled };
  }
}

export class RequestListResponse {
  @ApiProperty({
    example: 0.01,
    description: 'Share of the requests that is in the sample now (`GW_LOG_SAMPLE_RATE`).',
  })
  sample_rate: number;

  @ApiProperty({ type: [ListedRequestResponse] })
  requests: ListedRequestResponse[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: '`cursor` of the next page. Null if there are no more requests.',
  })
  next_cursor: string | null;

  static of({ requests, next }: RequestListPage, sort: RequestSort, sampleRate: number): RequestListResponse {
    return {
      sample_rate: sampleRate,
      requests: requests.map((request) => ListedRequestResponse.listed(request)),
      next_cursor: next === null ? null : cursorOf(sort, next),
    };
  }
}
