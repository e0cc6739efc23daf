export type Dimension = 'key' | 'model' | 'endpoint';

export const ENDPOINT_SORTS = [
  'request_count',
  'error_count',
  'cost',
  'avg_latency_ms',
  'max_latency_ms',
  'p95_latency_ms',
] as const;
export const TOKEN_SORTS = [...ENDPOINT_SORTS.slice(0, 2), 'total_tokens', ...ENDPOINT_SORTS.slice(2)] as const;

export type StatisticsSort = (typeof ENDPOINT_SORTS)[number] | 'total_tokens';

/** Null if it does not filter. Times are milliseconds since 1970, both inclusive. */
export interface StatisticsQuery {
  readonly keyId: string | null;
  readonly model: string | null;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  /** 1 to 500. */
  readonly limit: number;
  readonly sortBy: StatisticsSort;
  readonly sortDir: 'asc' | 'desc';
}

/** Sums over the sampled requests for one key, model or endpoint. There is at least one request. */
export interface StatisticsRow {
  /** Key ID, model or path template. */
  readonly value: string;
  readonly requests: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Nano-dollars, exact up to 2^53. A lower bound if requests are unpriced. */
  readonly costNanos: number;
  /** Requests of which at least a part has no price. Includes those that were recorded before costs were. */
  readonly unpricedRequests: number;
  readonly latencySumMs: number;
  readonly latencyMaxMs: number;
  /** Nearest-rank. If rollups are read, it is off by at most 1.1%, and never above the maximum. */
  readonly p50LatencyMs: number;
  readonly p95LatencyMs: number;
}

export interface KeyStatisticsRow extends StatisticsRow {
  readonly keyName: string | null;
  /** At most 10, in descending order of frequency, then by name. */
  readonly topModels: readonly ModelCount[];
}

export interface ModelCount {
  readonly model: string;
  readonly count: number;
}
