import type { DataSource } from 'typeorm';
import { newRequestId } from '../../src/request-context/request-id.js';

interface Rows {
  readonly keyId: string;
  readonly count: number;
  readonly model: string;
  readonly atMs?: number;
  readonly provider?: string;
}

/** Writes requests without a price, as the recorder does: 9 input and 3 output tokens each. */
export async function unpricedRows(source: DataSource, given: Rows): Promise<void> {
  const { keyId, count, model, atMs = Date.now(), provider = 'default' } = given;
  const ids = Array.from({ length: count }, () => newRequestId(atMs));
  const usage = {
    usage: { inputTokens: 9, outputTokens: 3, provenance: 'reported' },
    details: null,
    models: [model],
    units: { input: 9, output: 3, requests: 1 },
  };
  const endpoint = '/v1/chat/completions';
  const at = new Date(atMs).toISOString();
  await source.query(
    `insert into unpriced_usage (id, day, at, key_id, model, answered_model, endpoint, provider, base_url, cost_nanos, usage)
     select id, $2, $3, $4, $5, $5, $6, $7, 'http://provider.example/v1', null, $8 from unnest($1::uuid[]) id`,
    [ids, at.slice(0, 10), at, keyId, model, endpoint, provider, JSON.stringify(usage)],
  );
  const kinds = await source.query<{ column_name: string }[]>(
    `select column_name from information_schema.columns
      where table_name = 'cost_daily' and data_type = 'bigint' and column_name not in ('requests', 'unpriced_requests', 'input', 'output')`,
  );
  const names = kinds.map(({ column_name }) => column_name);
  await source.query(
    `insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, input, output, ${names.join(', ')})
     values ($1, $2, $3, $4, $5, $6::bigint, $6::bigint, 9 * $6::bigint, 3 * $6::bigint, ${names.map(() => '0').join(', ')})
     on conflict (day, key_id, model, endpoint, provider) do update set requests = cost_daily.requests + excluded.requests,
        unpriced_requests = cost_daily.unpriced_requests + excluded.unpriced_requests`,
    [at.slice(0, 10), keyId, model, endpoint, provider, count],
  );
}
