import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { COUNTED_KINDS } from '../../src/costs/usage-kinds.data.js';

export const DAY_MS = 86_400_000;
export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export interface CostRow {
  readonly day: string;
  readonly keyId: string;
  readonly model: string;
  readonly endpoint: string;
  readonly provider: string;
  readonly requests: number;
  readonly unpriced: number;
  readonly estimated: number;
  readonly nanos: bigint;
  readonly backfilled: boolean;
  /** The row has this count of every kind. */
  readonly units: number;
}

export async function insertRows(source: DataSource, rows: readonly CostRow[]): Promise<void> {
  const columns = rows.map((row) => ({
    day: row.day,
    key_id: row.keyId,
    model: row.model,
    endpoint: row.endpoint,
    provider: row.provider,
    requests: row.requests,
    unpriced_requests: row.unpriced,
    estimated_requests: row.estimated,
    cost_nanos: String(row.nanos),
    backfilled: row.backfilled,
    ...Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, row.units])),
  }));
  await source.query(
    'insert into cost_daily select * from jsonb_populate_recordset(null::cost_daily, $1::jsonb) on conflict do nothing',
    [JSON.stringify(columns)],
  );
}

export async function newKeys(source: DataSource, names: readonly string[]): Promise<string[]> {
  const ids = names.map(() => randomUUID());
  for (const [at, id] of ids.entries())
    await source.query(`insert into api_keys (id, name, key_hash, key_hint) values ($1, $2, $3, '')`, [
      id,
      names[at],
      Buffer.from(id),
    ]);
  return ids;
}

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;
const upTo = (max: number): number => Math.floor(Math.random() * max);

/**
 * Returns random rows whose keys exist in the table or not.
 * @param keyIds unknown keys are possible
 */
export function randomRows(count: number, keyIds: readonly string[], days: readonly string[]): CostRow[] {
  const rows = Array.from({ length: count }, (): CostRow => {
    const requests = 1 + upTo(50);
    const backfilled = upTo(10) === 0;
    return {
      day: pick(days),
      keyId: pick(keyIds),
      model: pick(['', 'gpt-4o', 'o1', '=HYPERLINK("x")']),
      endpoint: backfilled ? '' : pick(['/v1/chat/completions', '/v1/responses']),
      provider: backfilled ? '' : pick(['default', 'azure']),
      requests,
      unpriced: upTo(requests + 1),
      estimated: upTo(requests + 1),
      backfilled,
      units: upTo(1000),
      nanos: BigInt(upTo(2 ** 40)) * 1000n,
    };
  });
  const identityOf = (row: CostRow) => JSON.stringify([row.day, row.keyId, row.model, row.endpoint, row.provider]);
  return [...new Map(rows.map((row) => [identityOf(row), row])).values()];
}
