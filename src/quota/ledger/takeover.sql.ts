import type { Client } from 'pg';
import type { KeyCounts } from '../quota-counts.js';

export interface StoredMark {
  /** The number of the last stored entry. */
  readonly batch: number;
  /** The time of the last entry, by the database's clock. */
  readonly atMs: number;
  /**
   * After a batch, the granted requests of each key that got fewer than it requested. After a reconciliation, the skipped
   * keys.
   */
  readonly granted: ReadonlyMap<string, number>;
  /** After a batch with limits, the numbers of the refused requests. After a settlement, the skipped limits. */
  readonly refused: readonly number[] | null;
  /** The periods in which the limits of the last batch were counted. */
  readonly periods: ReadonlyMap<number, number>;
}

/** Numbers of an earlier epoch are fenced. */
interface TakenOver extends Omit<StoredMark, 'periods'> {
  readonly epoch: number;
}

/**
 * Waits for a batch whose connection was lost, and fences it if it has not begun, so that its outcome is known. Both happen in one
 * message, so that no row stays locked if this process stops. The commit waits for the disk.
 * @param writerId a UUID of this process
 * @returns null for a new row
 */
export async function takeOver(client: Client, writerId: string): Promise<TakenOver | null> {
  // A batch of a lost connection can run until its session's statement_timeout. These timeouts must be longer.
  const results = (await client.query(
    `begin; set local synchronous_commit = on; set local lock_timeout = 3000; set local statement_timeout = 3000;
     select half, stored, at_ms, short_keys::text[] as short_keys, short_granted, refused from quota_take_over_1('${writerId}'); commit`,
  )) as unknown as readonly { readonly rows: readonly WriterRow[] }[];
  const row = results.flatMap(({ rows }) => rows)[0];
  if (row === undefined) {
    await client.query('insert into quota_writer (writer_id, batch) values ($1, 0)', [writerId]);
    return null;
  }
  const granted = (row.short_keys ?? []).map((keyId, i) => [keyId, row.short_granted?.[i] ?? 0] as const);
  return {
    epoch: Number(row.half),
    batch: Number(row.stored),
    atMs: row.at_ms,
    granted: new Map(granted),
    refused: row.refused,
  };
}

/**
 * The periods in which a stored batch of this writer was counted. A reservation is in the writer's own row. A counted request is in the
 * current period of its limit, if the batch was in it.
 */
export async function readPeriods(
  client: Client,
  writerId: string,
  limitIds: readonly number[],
  atMs: number,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ limit_id: string; period: string }>(PERIODS, [
    writerId,
    limitIds,
    Math.ceil(atMs * 1000),
  ]);
  return new Map(rows.map((row) => [Number(row.limit_id), Number(row.period)]));
}

const PERIODS = `
select c.limit_id, case when c.measure = 'requests' then c.period else h.period end as period
  from limit_counters c left join limit_holds h on h.writer_id = $1 and h.limit_id = c.limit_id
 where c.limit_id = any($2::bigint[]) and case when c.measure = 'requests' then c.period <= $3 else h.period is not null end`;

/**
 * The counts of a deleted key are discarded.
 * @returns keys that were skipped because another session locks their rows. Null if the entry was fenced: its number was not
 *   the next one, and nothing was added
 */
export async function storeUnreconciled(
  client: Client,
  writerId: string,
  number: string,
  counts: readonly KeyCounts[],
): Promise<ReadonlySet<string> | null> {
  const { rows } = await client.query<{ fences: number; skipped: string[] | null }>(STORE_UNRECONCILED, [
    writerId,
    number,
    counts.map((key) => key.keyId),
    counts.map((key) => key.minute),
    counts.map((key) => key.minuteCount),
    counts.map((key) => key.day),
    counts.map((key) => key.dayCount),
    counts.map((key) => key.month),
    counts.map((key) => key.monthCount),
  ]);
  const row = rows[0];
  return row === undefined || row.fences === 0 ? null : new Set(row.skipped);
}

interface WriterRow {
  readonly half: string;
  readonly stored: string;
  readonly at_ms: number;
  readonly short_keys: readonly string[] | null;
  readonly short_granted: readonly number[] | null;
  readonly refused: readonly number[] | null;
}

const STORE_UNRECONCILED = `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), unreconciled as (                             -- one row per key: the newest windows and their requests (negative if the store has counted too many)
  select * from unnest($3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[]) as c(key_id, m, mn, d, dn, mo, mon)
), locked as materialized (
  select c.*, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count
    from unreconciled c join key_quota q using (key_id)
   where exists (select from fence)
   order by c.key_id for no key update of q skip locked
), skipped as (
  select array_agg(c.key_id) as keys
    from unreconciled c join key_quota q using (key_id)
   where exists (select from fence) and not exists (select from locked l where l.key_id = c.key_id)
), added as (
  update key_quota q set
         minute = greatest(l.minute, l.m), minute_count = greatest(0, case when l.m > l.minute then 0 else l.minute_count end + case when l.m >= l.minute then mn else 0 end),
         day    = greatest(l.day, l.d),    day_count    = greatest(0, case when l.d > l.day then 0 else l.day_count end + case when l.d >= l.day then dn else 0 end),
         month  = greatest(l.month, l.mo), month_count  = greatest(0, case when l.mo > l.month then 0 else l.month_count end + case when l.mo >= l.month then mon else 0 end)
    from locked l where q.key_id = l.key_id
), marked as (
  update quota_writer set batch = $2, short_keys = (select keys from skipped), short_granted = null, at = clock_timestamp()
   where writer_id = $1 and batch = $2::bigint - 1
)
select count(*)::int as fences, (select keys::text[] from skipped) as skipped from fence`;
