import type { DataSource } from 'typeorm';
import { UnpricedRequests, type UnpricedRequest } from '../../src/costs/unpriced-usage.js';

interface Place {
  readonly keyId: string;
  readonly model: string;
  readonly provider?: string;
}

interface Rows extends Place {
  readonly count: number;
  readonly atMs?: number;
}

const ENDPOINT = '/v1/chat/completions';
const BASE_URL = 'http://provider.example/v1';

/** Writes requests without a price, as the recorder does, each in a batch of its own: 9 input and 3 output tokens. */
export async function unpricedRows(source: DataSource, given: Rows): Promise<void> {
  const { count, atMs = Date.now() } = given;
  const usage = { inputTokens: 9, outputTokens: 3, provenance: 'reported' } as const;
  await writeBatches(source, given, [{ atMs, logId: null, nanos: null, usage, details: null }], count);
}

export const unpricedBatch = (source: DataSource, place: Place, requests: readonly UnpricedRequest[]): Promise<void> =>
  writeBatches(source, place, requests, 1);

async function writeBatches(
  source: DataSource,
  { keyId, model, provider = 'default' }: Place,
  requests: readonly UnpricedRequest[],
  count: number,
): Promise<void> {
  const sums = { input: 0, output: 0 };
  const batch = new UnpricedRequests();
  for (const request of requests) {
    const { inputTokens: input, outputTokens: output } = request.usage;
    batch.add(request, { input, output, requests: 1 });
    sums.input += input;
    sums.output += output;
  }
  const [{ firstAtMs, lastAtMs, units, items }] = batch.all() as [ReturnType<UnpricedRequests['all']>[number]];
  const [firstAt, lastAt] = [new Date(firstAtMs).toISOString(), new Date(lastAtMs).toISOString()];
  const day = firstAt.slice(0, 10);
  await source.query(
    `insert into unpriced_batches (day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at,
                                   requests, units, items)
     select $2, $3, $4, $4, array[$4], $5, $6, $7, $8, $9, $10, $11, $12::json from generate_series(1, $1::int)`,
    [count, day, keyId, model, ENDPOINT, provider, BASE_URL, firstAt, lastAt, requests.length, units, items],
  );
  const kinds = await source.query<{ column_name: string }[]>(
    `select column_name from information_schema.columns
      where table_name = 'cost_daily' and data_type = 'bigint' and column_name not in ('requests', 'unpriced_requests', 'input', 'output')`,
  );
  const names = kinds.map(({ column_name }) => column_name);
  await source.query(
    `insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, input, output, ${names.join(', ')})
     values ($1, $2, $3, $4, $5, $6::bigint, $6::bigint, $7, $8, ${names.map(() => '0').join(', ')})
     on conflict (day, key_id, model, endpoint, provider) do update set requests = cost_daily.requests + excluded.requests,
        unpriced_requests = cost_daily.unpriced_requests + excluded.unpriced_requests`,
    [day, keyId, model, ENDPOINT, provider, count * requests.length, count * sums.input, count * sums.output],
  );
}
