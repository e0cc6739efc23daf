import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ensureMonthPartitions } from '../../src/platform/database/month-partitions.js';
import type { StatisticsQuery, StatisticsRow } from '../../src/stats/aggregates/statistics-query.js';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export interface Sampled {
  readonly atMs: number;
  readonly keyId: string;
  readonly model: string | null;
  readonly endpoint: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null for a request that was not sent to a provider, which is the default. */
  readonly cost?: { readonly nanos: bigint | null; readonly unpriced: boolean } | null;
}

/** Requests to no provider, without a price, with one for a part of the usage, and with one. */
const COSTS: readonly ((share: number) => NonNullable<Sampled['cost']> | null)[] = [
  () => null,
  () => ({ nanos: null, unpriced: true }),
  (share) => ({ nanos: BigInt(Math.floor(share * 1e9)), unpriced: true }),
  (share) => ({ nanos: BigInt(Math.floor(share * 1e12)), unpriced: false }),
];

/** Returns a generator of numbers from 0 to 1 that depend only on the seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const keyIdOf = (rank: number): string =>
  createHash('md5')
    .update(`key ${rank}`)
    .digest('hex')
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');

const STATUSES = [200, 200, 200, 200, 200, 200, 201, 399, 400, 404, 429, 499, 500, 502];
/** The values are few, so that ties occur, and range from instantaneous to very slow. */
const LATENCIES = [0, 1, 2, 7, 49, 50, 51, 99, 100, 250, 1000, 1001, 60_000, 2_147_483_647];

/** Generates skewed rows: the first key, model and endpoint are the most frequent. A model can be null, empty, or a key ID. */
export function sampleOf(count: number, fromMs: number, untilMs: number, seed: number): Sampled[] {
  const next = random(seed);
  const pick = (n: number) => Math.floor(n * next() ** 2);
  const models = [
    'm-0',
    'm-1',
    null,
    'M-1',
    '',
    keyIdOf(1),
    ...Array.from({ length: 12 }, (_, i) => `vendor/m é ${i}`),
  ];
  return Array.from({ length: count }, () => {
    const slow = next() < 0.5;
    return {
      atMs: Math.floor(fromMs + next() * (untilMs - fromMs)),
      keyId: keyIdOf(pick(9)),
      model: models[pick(models.length)] ?? null,
      endpoint: `/v1/e-${pick(5)}`,
      status: STATUSES[Math.floor(next() * STATUSES.length)] as number,
      latencyMs: slow
        ? Math.floor(Math.exp(next() * 11))
        : (LATENCIES[Math.floor(next() * LATENCIES.length)] as number),
      inputTokens: Math.floor(next() * 2000),
      outputTokens: next() < 0.3 ? 0 : Math.floor(next() * 2_000_000),
      cost: COSTS[Math.floor(next() * COSTS.length)]!(next()),
    };
  });
}

export async function insert(source: DataSource, rows: readonly Sampled[]): Promise<void> {
  const months = new Set(rows.map(({ atMs }) => new Date(atMs).toISOString().slice(0, 7)));
  for (const month of months) {
    await ensureMonthPartitions((sql) => source.query(sql), 'request_logs', new Date(`${month}-01T00:00:00Z`), 1);
  }
  await source.query(
    `insert into request_logs (id, created_at, key_id, status, stream, latency_ms, input_tokens, output_tokens, method, endpoint, model, cost_nanos, cost)
     select gen_random_uuid(), r.at, r.key, r.status, false, r.latency, r.input, r.output, 'POST', r.endpoint, r.model, r.nanos, r.cost
       from unnest($1::timestamptz[], $2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[], $9::bigint[], $10::jsonb[])
            as r(at, key, status, latency, input, output, endpoint, model, nanos, cost)`,
    [
      rows.map(({ atMs }) => new Date(atMs).toISOString()),
      rows.map(({ keyId }) => keyId),
      rows.map(({ status }) => status),
      rows.map(({ latencyMs }) => latencyMs),
      rows.map(({ inputTokens }) => inputTokens),
      rows.map(({ outputTokens }) => outputTokens),
      rows.map(({ endpoint }) => endpoint),
      rows.map(({ model }) => model),
      rows.map(({ cost }) => cost?.nanos ?? null),
      rows.map(({ cost }) => (cost ? { provider: 'default', unpriced: cost.unpriced ? ['output'] : [] } : null)),
    ],
  );
}

export const query = (given: Partial<StatisticsQuery> = {}): StatisticsQuery => ({
  keyId: null,
  model: null,
  sinceMs: 0,
  untilMs: null,
  limit: 500,
  sortBy: 'request_count',
  sortDir: 'desc',
  ...given,
});

const VALUE = {
  key: (row: Sampled) => row.keyId,
  model: (row: Sampled) => row.model,
  endpoint: (row: Sampled) => row.endpoint,
} as const;

/** Computes the expected statistics from the rows, without `limit` and in any order. */
export function statisticsOf(
  dimension: keyof typeof VALUE,
  rows: readonly Sampled[],
  { keyId, model, sinceMs, untilMs }: StatisticsQuery,
): StatisticsRow[] {
  const groups = Map.groupBy(
    rows.filter(
      (row) =>
        row.atMs >= sinceMs &&
        (untilMs === null || row.atMs <= untilMs) &&
        (keyId === null || row.keyId === keyId) &&
        (model === null || row.model === model),
    ),
    VALUE[dimension],
  );
  groups.delete(null);
  return [...groups].map(([value, group]) => {
    const latencies = group.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
    const sum = (of: (row: Sampled) => number) => group.reduce((total, row) => total + of(row), 0);
    return {
      value: value as string,
      requests: group.length,
      clientErrors: group.filter(({ status }) => status >= 400 && status < 500).length,
      serverErrors: group.filter(({ status }) => status >= 500).length,
      inputTokens: sum((row) => row.inputTokens),
      outputTokens: sum((row) => row.outputTokens),
      costNanos: sum((row) => Number(row.cost?.nanos ?? 0)),
      unpricedRequests: group.filter((row) => row.cost?.unpriced === true).length,
      latencySumMs: sum((row) => row.latencyMs),
      latencyMaxMs: latencies.at(-1) as number,
      p50LatencyMs: latencies[Math.ceil(0.5 * group.length) - 1] as number,
      p95LatencyMs: latencies[Math.ceil((95 * group.length) / 100) - 1] as number,
    };
  });
}

export function topModelsOf(keyId: string, rows: readonly Sampled[]): { model: string; count: number }[] {
  const models = Map.groupBy(
    rows.filter((row) => row.keyId === keyId && row.model !== null),
    ({ model }) => model as string,
  );
  return [...models]
    .map(([model, { length }]) => ({ model, count: length }))
    .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.model), Buffer.from(b.model)))
    .slice(0, 10);
}
