import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import { rowFilterOf } from '../../costs/report/row-filter.read-model.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import { isoTimestamp } from '../../platform/validation/timestamp.js';
import type { RequestLog } from './request-logs.read-model.js';

const LIST = sqlFile(import.meta.url, './request-list.sql');

export const REQUEST_SORTS = ['time', 'latency', 'cost'] as const;
/** All orders are descending. `cost` omits requests without a price. */
export type RequestSort = (typeof REQUEST_SORTS)[number];

/** All conditions must hold. An absent one does not apply. */
export interface RequestFilter {
  readonly keyId?: string;
  /** The team that the key belongs to now. */
  readonly teamId?: string;
  /** A tag that the key or its team has now. */
  readonly tag?: string;
  readonly model?: string;
  readonly endpoint?: string;
  readonly upstream?: string;
  readonly errorCode?: string;
  /** Both inclusive, and always given together. */
  readonly statusFrom?: number;
  readonly statusTo?: number;
  readonly latencyMsMin?: number;
  readonly costNanosMin?: bigint;
  /** Milliseconds since 1970, both inclusive. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly ids?: RequestIdRange;
}

/** Request IDs, both inclusive, and the times that they contain. */
export interface RequestIdRange {
  readonly from: string;
  readonly to: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** The last request of the page before. */
export interface RequestPosition {
  readonly id: string;
  readonly createdAtMs: number;
  /** The latency in milliseconds or the cost in nano-dollars, if the list is sorted by it. */
  readonly value: string | null;
}

export interface RequestListQuery {
  readonly filter: RequestFilter;
  readonly sort: RequestSort;
  readonly after: RequestPosition | null;
  readonly limit: number;
}

export interface ListedRequest extends RequestLog {
  /** Whether the request is in the sample, and thus in the statistics. */
  readonly sampled: boolean;
  readonly teamId: string | null;
  readonly teamName: string | null;
}

export interface RequestListPage {
  readonly requests: readonly ListedRequest[];
  /** Null on the last page. */
  readonly next: RequestPosition | null;
}

/** Lists kept requests: the sample, failures of the last 7 days, and the first requests of new keys (D15). */
@Injectable()
export class RequestList {
  constructor(private readonly source: ReportSource) {}

  async page({ filter, sort, after, limit }: RequestListQuery): Promise<RequestListPage> {
    const { keyId: key, teamId: team, tag, sinceMs, untilMs, ids, costNanosMin, ...rest } = filter;
    const { keys } = await rowFilterOf(this.source, {
      ...(key !== undefined && { key }),
      ...(team !== undefined && { team }),
      ...(tag !== undefined && { tag }),
    });
    // An index has the rows of one key in order, but not those of a list of keys.
    const only = keys?.length === 1 ? keys[0] : undefined;
    const rows = await this.source.query<ListedRequest[]>(LIST, [
      only === undefined ? keys : null,
      isoTimestamp(latest(sinceMs, ids?.sinceMs)),
      isoTimestamp(earliest(untilMs, ids?.untilMs)),
      after === null ? null : isoTimestamp(after.createdAtMs),
      JSON.stringify({
        ...rest,
        keyId: only,
        idFrom: ids?.from,
        idTo: ids?.to,
        costNanosMin: costNanosMin?.toString(),
      }),
      JSON.stringify({ sort, id: after?.id, value: after?.value, limit: limit + 1 }),
    ]);
    const requests = rows.slice(0, limit);
    return { requests, next: rows.length > limit ? positionOf(requests.at(-1)!, sort) : null };
  }
}

function positionOf({ id, createdAt, latencyMs, costNanos }: ListedRequest, sort: RequestSort): RequestPosition {
  const value = sort === 'latency' ? String(latencyMs) : sort === 'cost' ? costNanos : null;
  return { id, createdAtMs: createdAt.getTime(), value };
}

const latest = (one: number | undefined, other: number | undefined): number | null =>
  one === undefined || other === undefined ? (one ?? other ?? null) : Math.max(one, other);

const earliest = (one: number | undefined, other: number | undefined): number | null =>
  one === undefined || other === undefined ? (one ?? other ?? null) : Math.min(one, other);
