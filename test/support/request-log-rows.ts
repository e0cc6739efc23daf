import { newRequestId } from '../../src/platform/request-context/request-id.js';
import type { DataSource } from 'typeorm';
import { ensureMonthPartitions } from '../../src/platform/database/month-partitions.js';
import type { RequestRow } from '../../src/stats/pending-records.js';
import { RequestRowStore, type RequestTable } from '../../src/stats/stores/request-row.store.js';

export function requestRow(keyId: string, createdAtMs: number, given: Partial<RequestRow> = {}): RequestRow {
  return {
    id: newRequestId(createdAtMs),
    createdAtMs,
    keyId,
    status: 200,
    stream: false,
    latencyMs: 12,
    upstreamLatencyMs: 7,
    inputTokens: 3,
    outputTokens: 4,
    usageSource: 'reported',
    method: 'POST',
    endpoint: '/v1/chat/completions',
    model: 'gpt-4o-mini',
    errorCode: null,
    errorMessage: null,
    upstream: null,
    attempts: null,
    costNanos: null,
    cost: null,
    ...given,
  };
}

/** Writes rows as the recorder does, and creates missing partitions. */
export const writeRows = (source: DataSource, rows: readonly RequestRow[], table: RequestTable = 'request_logs') =>
  new RequestRowStore(source).write(table, rows);

/** Writes `count` rows one millisecond apart, the last at `lastMs`, in one statement. */
export async function writeMany(source: DataSource, keyId: string, lastMs: number, count: number): Promise<void> {
  await ensureMonthPartitions((sql) => source.query(sql), 'request_logs', new Date(lastMs - count), 2);
  await source.query(
    `insert into request_logs (id, created_at, key_id, status, stream, latency_ms, input_tokens, output_tokens, method, endpoint)
     select gen_random_uuid(), $1::timestamptz - make_interval(secs => n * 0.001), $2, 200, false, 1, 0, 0, 'GET', '/v1/models'
       from generate_series(0, $3::int - 1) n`,
    [new Date(lastMs).toISOString(), keyId, count],
  );
}
