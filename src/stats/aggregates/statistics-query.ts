/** What the sample is grouped by. */
export type Dimension = 'key' | 'model' | 'endpoint';

export const ENDPOINT_SORTS = [
  'request_count',
  'error_count',
  'avg_latency_ms',
  'max_latency_ms',
  'p95_latency_ms',
] as const;
export const TOKEN_SORTS = ['request_count', 'error_count', 'total_tokens', ...ENDPOINT_SORTS.slice(2)] as const;

export type StatisticsSort = (typeof ENDPOINT_SORTS)[number] | 'total_tokens';

/** Null: no filter. Times are milliseconds since 1970, both inclusive. */
export interface StatisticsQuery {
  /** A UUID. */
  readonly keyId: string | null;
  readonly model: string | null;
  readonly sinceMs: number;
  /** Null: no end. */
  readonly untilMs: number | null;
  /** 1 to 500. */
  readonly limit: number;
  readonly sortBy: StatisticsSort;
  readonly sortDir: 'asc' | 'desc';
}

/** The requests of one key, model or endpoint in the sample: at least one. */
export interface StatisticsRow {
  /** The key's ID, the model's name, or the endpoint's template. */
  readonly value: string;
  readonly requests: number;
  /** 4xx. */
  readonly clientErrors: number;
  /** 5xx. */
  readonly serverErrors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of all requests together. */
  readonly latencySumMs: number;
  readonly latencyMaxMs: number;
  /** Nearest-rank; at most 1.1 % off if rollups are read, and never above the maximum. */
  readonly p50LatencyMs: number;
  readonly p95LatencyMs: number;
}

export interface KeyStatisticsRow extends StatisticsRow {
  /** Null: the key does not exist any more. */
  readonly keyName: string | null;
  /** At most 10, the most frequent first, then by name. */
  readonly topModels: readonly ModelCount[];
}

export interface ModelCount {
  readonly model: string;
  readonly count: number;
}
