import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Attempt } from '../../platform/request-context/request-context.js';
import type { TokenUsage } from '../../platform/request-context/token-usage.js';
import { timeOfRequestId } from '../../platform/request-context/request-id.js';
import { COUNTED_MAX } from '../../platform/database/page.js';
import type { Page } from '../../platform/database/page.js';
import { isoTimestamp, LATEST_MS } from '../../platform/validation/timestamp.js';
import type { StoredCost } from '../../costs/cost-record.rules.js';

/** All conditions must hold. Null means no condition. */
export interface RequestLogFilter {
  readonly requestId: string | null;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly endpoint: string | null;
  readonly status: number | null;
  /** Milliseconds since 1970, both inclusive. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
}

export interface RequestLog {
  readonly id: string;
  readonly createdAt: Date;
  readonly keyId: string;
  readonly keyName: string | null;
  readonly method: string;
  readonly endpoint: string;
  readonly model: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly stream: boolean;
  readonly latencyMs: number;
  readonly upstreamLatencyMs: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The upstream of `GW_UPSTREAMS` that responded last, and all attempts in order. Both are null with a single account. */
  readonly upstream: string | null;
  readonly attempts: readonly Attempt[] | null;
  /** Null in rows of earlier releases. */
  readonly usageSource: TokenUsage['provenance'] | null;
  /** Nano-dollars. Null without a price, and if no provider was sent the request. */
  readonly costNanos: string | null;
  /** Null for requests that were sent to no provider, and those of earlier releases. */
  readonly cost: StoredCost | null;
}

export interface RequestLogPage {
  /** Number of matching requests. Anything above `COUNTED_MAX` means more than `COUNTED_MAX`. */
  readonly found: number;
  readonly logs: readonly RequestLog[];
}

/** Reads sampled requests. A request ID also finds recorded refusals of the last 7 days (D15, D17). */
@Injectable()
export class RequestLogs {
  constructor(private readonly source: DataSource) {}

  async list(filter: RequestLogFilter, page: Page): Promise<RequestLogPage> {
    return filter.requestId === null ? this.matching(filter, page) : this.withId(filter.requestId, filter, page);
  }

  private async matching(filter: RequestLogFilter, { limit, offset }: Page): Promise<RequestLogPage> {
    const rows = await this.source.query<ListedRow[]>(LIST, [...valuesOf(filter), limit, offset]);
    return { found: rows[0]?.found ?? 0, logs: rows.filter(isLog) };
  }

  /** The ID contains the time of the request, so only one partition is read. */
  private async withId(id: string, filter: RequestLogFilter, { offset }: Page): Promise<RequestLogPage> {
    const moment = requestIdMoment(id);
    if (moment === null) return { found: 0, logs: [] };
    const logs = await this.source.query<RequestLog[]>(FIND, [...valuesOf(filter), moment.toISOString(), id]);
    return { found: logs.length, logs: logs.slice(offset) };
  }
}

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Returns null for an ID that the gateway never generates. */
export function requestIdMoment(id: string): Date | null {
  if (!VERSION_7.test(id)) return null;
  const ms = timeOfRequestId(id);
  return ms <= LATEST_MS ? new Date(ms) : null;
}

/** An empty page has one row, which contains `found`. */
type ListedRow = (RequestLog | { readonly id: null }) & { readonly found: number };
const isLog = (row: ListedRow): row is RequestLog & ListedRow => row.id !== null;

const valuesOf = ({ keyId, model, endpoint, status, sinceMs, untilMs }: RequestLogFilter): unknown[] => [
  keyId,
  model,
  endpoint,
  status,
  isoTimestamp(sinceMs),
  isoTimestamp(untilMs),
];

/** The statement is planned with its values, so conditions with null cost nothing and the others use their index. */
const MATCHES = `($1::uuid is null or key_id = $1) and ($2::text is null or model = $2) and ($3::text is null or endpoint = $3)
   and ($4::smallint is null or status = $4)
   and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at <= $6)`;

const COLUMNS = `r.id, r.created_at as "createdAt", r.key_id as "keyId", k.name as "keyName", r.method, r.endpoint, r.model, r.status,
       r.error_code as "errorCode", r.error_message as "errorMessage", r.stream, r.latency_ms as "latencyMs",
       r.upstream_latency_ms as "upstreamLatencyMs", r.input_tokens as "inputTokens", r.output_tokens as "outputTokens",
       r.upstream, r.attempts, r.usage_source as "usageSource", r.cost_nanos as "costNanos", r.cost`;

// The page is selected from the primary key alone, so rows that the offset skips are not read.
const LIST = `
with counted as (
  select count(*)::int as found from (select from request_logs where ${MATCHES} limit ${COUNTED_MAX + 1}) matching
), page as materialized (
  select created_at, id from request_logs where ${MATCHES} order by created_at desc, id desc limit $7 offset $8
)
select counted.found, ${COLUMNS}
  from counted left join (page join request_logs r using (created_at, id)) on true left join api_keys k on k.id = r.key_id
 order by r.created_at desc, r.id desc`;

const STORED_COLUMNS = `id, created_at, key_id, method, endpoint, model, status, error_code, error_message, stream, latency_ms,
         upstream_latency_ms, input_tokens, output_tokens, upstream, attempts, usage_source, cost_nanos, cost`;

const FIND = `
with one as (
  select ${STORED_COLUMNS} from request_logs where created_at = $7::timestamptz and id = $8::uuid
  union all
  select ${STORED_COLUMNS} from request_refusals where created_at = $7::timestamptz and id = $8::uuid
)
select ${COLUMNS} from (select * from one where ${MATCHES} limit 1) r left join api_keys k on k.id = r.key_id`;
