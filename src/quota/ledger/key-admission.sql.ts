import type { Client } from 'pg';
import type { Transaction } from '../../platform/database/transactions.js';
import type { AdmitResult, AdmitEntry, StoredCounts } from '../quota-counts.js';
import { listOf, run, type StatementText, type TextRow } from './prepared-statement.js';

/**
 * Each key must occur only once.
 * @param setVersion the version of the set of limits in which no request has a limit
 * @returns null if the batch was fenced, so that nothing was counted
 */
export async function admitBatch(
  client: Client,
  writerId: string,
  number: string,
  setVersion: number,
  entries: readonly AdmitEntry[],
): Promise<Map<string, AdmitResult> | null> {
  const countsAll = entries.map(({ tokenCounting }) => tokenCounting === 'all');
  const someCountAll = countsAll.includes(true);
  const rows = await run(client, someCountAll ? ADMIT_COUNTING_ALL : ADMIT, [
    writerId,
    number,
    listOf(entries.map((entry) => entry.keyId)),
    listOf(entries.map((entry) => String(entry.version))),
    listOf(entries.map((entry) => String(entry.count))),
    listOf(entries.map((entry) => String(entry.rpmLimit))),
    listOf(entries.map((entry) => String(entry.rpdLimit))),
    listOf(entries.map((entry) => String(entry.monthlyLimit))), // `null` is NULL in an array too
    listOf(entries.map((entry) => String(entry.monthlyTokenLimit))),
    String(setVersion),
    ...(someCountAll ? [listOf(countsAll.map(String))] : []),
  ]);
  if (rows.length === 0) return null;
  const results = new Map<string, AdmitResult>();
  for (const row of rows) {
    // A single row of nulls means that none of the keys has a row.
    const keyId = row[0] ?? null;
    if (keyId !== null) results.set(keyId, resultOf(row));
  }
  for (const { keyId } of entries) if (!results.has(keyId)) results.set(keyId, { kind: 'unknown' });
  return results;
}

/** Reads without locking. The result omits keys without a row. */
export async function readCounts(client: Client, keyIds: readonly string[]): Promise<Map<string, StoredCounts>> {
  const rows = await run(client, READ_COUNTS, [listOf(keyIds)]);
  return new Map(rows.map((row) => [String(row[0]), countsOf(row)]));
}

export interface CountedRequests {
  readonly minute: number;
  readonly day: number;
  readonly month: number;
}

export async function readCountsIn(transaction: Transaction, keyId: string): Promise<CountedRequests | null> {
  const [row] = await transaction.query<{ mu: number; du: number; mou: string }[]>(READ_COUNTS.text, [[keyId]]);
  return row === undefined ? null : { minute: row.mu, day: row.du, month: Number(row.mou) };
}

interface TokenColumns {
  readonly parameter: string;
  readonly column: string;
  readonly read: string;
  readonly counted: string;
  readonly result: string;
}

const admitText = ({ parameter, column, read, counted, result }: TokenColumns): string => `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), req as (
  select * from unnest($3::uuid[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::bigint[]${parameter})
             as r(key_id, version, n, rpm, rpd, rpmonth, tokens_max${column})
), locked as materialized (                      -- in key order, which prevents deadlocks; q is the newest row, not the snapshot's
  select r.*, q.version as current, q.minute, q.minute_count, q.day, q.day_count, q.month, q.month_count
    from req r join key_quota q using (key_id)
   where exists (select from fence)
   order by r.key_id for no key update of q
), clock as materialized (                       -- read once, after the last lock, because the writer's row stores one instant for the batch
  select clock_timestamp() as now from (select count(*) from locked) l
), timed as materialized (
  select l.*, c.now, floor(date_part('epoch', c.now) / 60)::int as m, floor(date_part('epoch', c.now) / 86400)::int as d,
         (date_part('year', c.now at time zone 'UTC') * 12 + date_part('month', c.now at time zone 'UTC') - 1)::int as mo
    from locked l cross join clock c
), used as materialized (                        -- a window is kept if it is the current one, or the next one after the clock was set back
  select t.key_id, t.version, t.current, t.n, t.now, t.rpm, t.rpd, t.rpmonth, t.tokens_max${column},
         case when t.minute - t.m in (0, 1) then t.minute else t.m end as m, case when t.minute - t.m in (0, 1) then t.minute_count else 0 end as mu,
         case when t.day - t.d in (0, 1) then t.day else t.d end as d, case when t.day - t.d in (0, 1) then t.day_count else 0 end as du,
         case when t.month - t.mo in (0, 1) then t.month else t.mo end as mo, case when t.month - t.mo in (0, 1) then t.month_count else 0 end as mou,
         coalesce(u.input_tokens + u.output_tokens, 0) as tokens${read}
    from timed t left join usage_monthly u on u.key_id = t.key_id and u.month = t.mo
), decided as materialized (                     -- least() ignores null, which means no limit; granted is null for a stale version
  select *, case when version = current and (select version from limit_set) = $10 then
         greatest(0, least(n, rpm - mu, rpd - du, rpmonth - mou, case when ${counted} >= tokens_max then 0 end)) end::int as granted
    from used
), counted as (
  update key_quota q set minute = e.m, minute_count = e.mu + e.granted, day = e.d, day_count = e.du + e.granted,
                         month = e.mo, month_count = e.mou + e.granted
    from decided e where q.key_id = e.key_id and e.granted > 0
), marked as (
  update quota_writer w set batch = $2, short_keys = s.keys, short_granted = s.granted, at = c.now
    from (select array_agg(key_id) as keys, array_agg(coalesce(granted, 0)) as granted from decided where coalesce(granted, 0) < n) s, clock c
   where w.writer_id = $1 and w.batch = $2::bigint - 1
)
select e.key_id, e.current, date_part('epoch', e.now) * 1000 as now, e.m, e.mu, e.d, e.du, e.mo, e.mou, e.tokens, e.granted, e.version${result}
  from fence left join decided e on true`;

const ADMIT: StatementText = {
  name: 'quota-admit',
  text: admitText({ parameter: '', column: '', read: '', counted: 'tokens', result: '' }),
};

/** Separate, because the additional column makes a batch 2 to 4% slower. */
const ADMIT_COUNTING_ALL: StatementText = {
  name: 'quota-admit-counting-all',
  text: admitText({
    parameter: ', $11::bool[]',
    column: ', counts_all',
    read: ', coalesce(u.additional_tokens, 0) as additional',
    counted: 'tokens + case when counts_all then additional else 0 end',
    result: ', e.additional',
  }),
};

// The columns of ADMIT_COUNTING_ALL, without values for `granted` and `version`.
const READ_COUNTS: StatementText = {
  name: 'quota-read-counts',
  text: `
select q.key_id, q.version as current, date_part('epoch', t.now) * 1000 as now,
       b.m, case when q.minute - b.m in (0, 1) then q.minute_count else 0 end as mu,
       b.d, case when q.day - b.d in (0, 1) then q.day_count else 0 end as du,
       b.mo, case when q.month - b.mo in (0, 1) then q.month_count else 0 end as mou,
       coalesce(u.input_tokens + u.output_tokens, 0) as tokens, null as granted, null as version, coalesce(u.additional_tokens, 0) as additional
  from (select clock_timestamp() as now) t
 cross join lateral (select floor(date_part('epoch', t.now) / 60)::int as m, floor(date_part('epoch', t.now) / 86400)::int as d,
         (date_part('year', t.now at time zone 'UTC') * 12 + date_part('month', t.now at time zone 'UTC') - 1)::int as mo) b
 cross join key_quota q left join usage_monthly u on u.key_id = q.key_id and u.month = b.mo
 where q.key_id = any($1::uuid[])`,
};

function resultOf(row: TextRow): AdmitResult {
  const granted = row[10] ?? null;
  // The version of the key is current, so the set of limits has another version.
  if (granted === null)
    return row[1] === row[11] ? { kind: 'stale-limits' } : { kind: 'stale', version: Number(row[1]) };
  return { kind: 'decided', granted: Number(granted), counts: countsOf(row) };
}

function countsOf(row: TextRow): StoredCounts {
  return {
    version: Number(row[1]),
    nowMs: Math.floor(Number(row[2])),
    minute: Number(row[3]),
    minuteUsed: Number(row[4]),
    day: Number(row[5]),
    dayUsed: Number(row[6]),
    month: Number(row[7]),
    monthUsed: Number(row[8]),
    tokens: Number(row[9]),
    additionalTokens: Number(row[12] ?? 0),
  };
}
