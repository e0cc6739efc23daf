import type { Client } from 'pg';
import type { LimitClaim, LimitClaims } from '../../src/quota/limit-claims.js';

export interface LimitRow {
  readonly scope: string;
  readonly scope_id: string | null;
  readonly scope_tag: string | null;
  readonly measure: string;
  readonly period: string;
  readonly zone: string;
  readonly amount: number | bigint;
  readonly models: readonly string[] | null;
  readonly mode: string;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly enabled: boolean;
  readonly thresholds: readonly number[];
  readonly carry_over: number | null;
}

const ACCOUNT_TOKENS: LimitRow = {
  scope: 'account',
  scope_id: null,
  scope_tag: null,
  measure: 'tokens',
  period: 'day',
  zone: 'UTC',
  amount: 1000,
  models: null,
  mode: 'enforce',
  starts_at: null,
  ends_at: null,
  enabled: true,
  thresholds: [],
  carry_over: null,
};

/** Inserts a limit as an operator does, and returns its ID. By default, it allows the account 1,000 tokens per day. */
export async function addLimit(client: Client, given: Partial<LimitRow> = {}): Promise<number> {
  const row = { ...ACCOUNT_TOKENS, ...given };
  const columns = Object.keys(row);
  const { rows } = await client.query<{ id: string }>(
    `insert into limits (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return Number(rows[0]!.id);
}

/** @param items ID, requested amount, and by how much the request can exceed it */
export async function claimsOf(
  client: Client,
  ...items: readonly (readonly [limitId: number, asked: number, overdraft?: number])[]
): Promise<LimitClaims> {
  const ids = items.map(([limitId]) => limitId);
  const { rows } = await client.query<{ limit_id: string; measure: string; version: string }>(
    'select limit_id, measure, (select version from limit_set) from limit_counters where limit_id = any($1)',
    [ids],
  );
  const version =
    rows[0]?.version ?? (await client.query<{ version: string }>('select version from limit_set')).rows[0]!.version;
  const claims = items.map(([limitId, asked, overdraft = 0]): LimitClaim => {
    const measure = rows.find((row) => Number(row.limit_id) === limitId)?.measure;
    return { limitId, asked, holds: measure !== 'requests', overdraft };
  });
  return { setVersion: Number(version), items: claims };
}

export interface LimitFigures {
  readonly used: number;
  readonly held: number;
  readonly estimated: number;
  readonly amount: number;
  readonly carried: number;
  readonly period: number;
}

/** Returns the stored figures of a limit, which can belong to a period that has ended. */
export async function figuresOf(client: Client, limitId: number): Promise<LimitFigures> {
  const { rows } = await client.query<Record<keyof LimitFigures, string>>(
    'select used, held, estimated, amount, carried, period from limit_counters where limit_id = $1',
    [limitId],
  );
  return Object.fromEntries(
    Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]),
  ) as unknown as LimitFigures;
}

/** Returns the limits whose reserved amount, overdraft or rolling usage is not the sum of its parts. */
export async function wrongHolds(client: Client): Promise<readonly unknown[]> {
  const { rows } = await client.query(`
    select c.limit_id, c.held, coalesce(h.held, 0) as by_processes, c.overdraft, coalesce(h.overdraft, 0) as overdraft_by_processes
      from limit_counters c
      left join (select h.limit_id, h.period, sum(h.held) as held, sum(h.overdraft) as overdraft from limit_holds h join quota_writer w using (writer_id)
                  where w.expired_at is null group by h.limit_id, h.period) h on h.limit_id = c.limit_id and h.period = c.period
     where c.held <> coalesce(h.held, 0) or c.overdraft <> coalesce(h.overdraft, 0) or c.buckets is not null and c.used <> (select sum(part) from unnest(c.buckets) as part)`);
  return rows;
}
