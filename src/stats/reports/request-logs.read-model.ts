import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import type { Attempt } from '../../platform/request-context/request-context.js';
import type { TokenUsage } from '../../platform/request-context/token-usage.js';
import { timeOfRequestId } from '../../platform/request-context/request-id.js';
import { COUNTED_MAX, type Page } from '../../platform/database/page.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import { isoTimestamp, LATEST_MS } from '../../platform/validation/timestamp.js';
import type { StoredCost } from '../../costs/request-costs.service.js';

const LIST = sqlFile(import.meta.url, './request-logs-page.sql');
const FIND = sqlFile(import.meta.url, './request-log.sql');

/** All conditions must hold. Null if the condition does not apply. */
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
  /** Nano-dollars. Null if there is no price, or if the request was sent to no provider. */
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
  constructor(private readonly source: ReportSource) {}

  async list(filter: RequestLogFilter, page: Page): Promise<RequestLogPage> {
    return filter.requestId === null ? this.matching(filter, page) : this.withId(filter.requestId, filter, page);
  }

  private async matching(filter: RequestLogFilter, { limit, offset }: Page): Promise<RequestLogPage> {
    const shown = JSON.stringify({ limit, offset, countedMax: COUNTED_MAX });
    const rows = await this.source.query<ListedRow[]>(LIST, [...valuesOf(filter), shown]);
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
