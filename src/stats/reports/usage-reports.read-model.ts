import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readKeyUsage, readUsage } from './usage.read-model.js';
import type { KeyUsageHistory, KeyUsageQuery, Reader, UsageSummary } from './usage.read-model.js';
import type { Days } from '../../costs/days.rules.js';

/** The cost of a part of the usage, and its tokens in prompt caches. Counts are exact up to 2^53. */
export interface UsageCost {
  /** A lower bound if requests are unpriced. Null if no request has a price. */
  readonly nanos: bigint | null;
  readonly unpricedRequests: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** The costs of the parts of a usage report, by their names. A part without a request to a provider is missing. */
export interface UsageCosts {
  readonly total: UsageCost | null;
  readonly days: ReadonlyMap<string, UsageCost>;
  readonly keys: ReadonlyMap<string, UsageCost>;
  /** '' for requests without a model. */
  readonly models: ReadonlyMap<string, UsageCost>;
}

export interface KeyCosts {
  readonly days: ReadonlyMap<string, UsageCost>;
  readonly months: ReadonlyMap<string, UsageCost>;
}

/** Reads usage with its costs, in one snapshot (D17). They are exact and at most a second behind. */
@Injectable()
export class UsageReports {
  constructor(private readonly source: DataSource) {}

  /** @param keyId null for all keys */
  summary(range: Days, keyId: string | null): Promise<{ readonly usage: UsageSummary; readonly costs: UsageCosts }> {
    return this.source.transaction('REPEATABLE READ', async (snapshot) => {
      const usage = await readUsage(snapshot, range, keyId);
      return { usage, costs: await costsOf(snapshot, range, keyId, usage) };
    });
  }

  history(keyId: string, query: KeyUsageQuery): Promise<{ readonly usage: KeyUsageHistory; readonly costs: KeyCosts }> {
    return this.source.transaction('REPEATABLE READ', async (snapshot) => {
      const usage = await readKeyUsage(snapshot, keyId, query);
      const days = usage.daily.map(({ day }) => day);
      const months = usage.monthly.map(({ month }) => `${month}-01`);
      const rows = await snapshot.query<Row[]>(HISTORY, [keyId, days, months]);
      return { usage, costs: { days: partsOf(rows, 'day'), months: partsOf(rows, 'month') } };
    });
  }
}

async function costsOf(
  snapshot: Reader,
  { from, to }: Days,
  keyId: string | null,
  { byKey, byModel }: UsageSummary,
): Promise<UsageCosts> {
  const keys = byKey.map((key) => key.keyId);
  const models = byModel.map(({ model }) => model ?? '');
  const rows =
    keyId === null
      ? await snapshot.query<Row[]>(OF_ALL, [from, to, keys, models])
      : await snapshot.query<Row[]>(OF_ONE, [from, to, keyId]);
  return {
    total: partsOf(rows, 'total').get('') ?? null,
    days: partsOf(rows, 'day'),
    keys: partsOf(rows, 'key'),
    models: partsOf(rows, 'model'),
  };
}

interface Row {
  readonly kind: 'total' | 'day' | 'key' | 'model' | 'month';
  readonly value: string;
  readonly requests: number;
  readonly unpriced: number;
  readonly nanos: string;
  readonly reads: number;
  readonly writes: number;
}

const partsOf = (rows: readonly Row[], kind: Row['kind']): Map<string, UsageCost> =>
  new Map(rows.filter((row) => row.kind === kind).map((row) => [row.value, costOf(row)]));

function costOf({ requests, unpriced, nanos, reads, writes }: Row): UsageCost {
  const isUnknown = unpriced === requests && nanos === '0';
  return {
    nanos: isUnknown ? null : BigInt(nanos),
    unpricedRequests: unpriced,
    cacheReadTokens: reads,
    cacheWriteTokens: writes,
  };
}

/** The columns of `Row`. Nano-dollars stay text, because they can exceed 2^53. */
const SUMS = `sum(requests)::float8 as requests, sum(unpriced_requests)::float8 as unpriced, sum(cost_nanos)::text as nanos,
         sum(cached_input + cached_audio_input)::float8 as reads, sum(cache_write_5m + cache_write_1h)::float8 as writes`;
const COLUMNS =
  'requests, unpriced_requests, cost_nanos, cached_input, cached_audio_input, cache_write_5m, cache_write_1h';

/**
 * Rows of the values of a dimension: sums of closed months, sums of other closed days, and single rows of others. The lateral joins
 * look up each month and day in the index.
 * @param among the parameter of the values
 */
const rowsOf = (dimension: string, column: string, among: string): string => `(
  select other as value, ${COLUMNS}
    from months cross join lateral (
           select * from cost_month_sums s
            where s.month = months.month and filtered = 'all' and value = '' and grouped = '${dimension}' and other = any(${among}::text[])
           offset 0) s
  union all
  select s.value, ${COLUMNS}
    from wanted cross join lateral (
           select * from cost_day_sums s
            where s.day = wanted.day and dimension = '${dimension}' and value = any(${among}::text[]) offset 0) s
   where closed and not in_month
  union all
  select value, ${COLUMNS} from (select ${column}::text as value, ${COLUMNS} from open) o where value = any(${among}::text[])) rows`;

const OF_ALL = `
with span as (
  select greatest($1::date, oldest) as first, least($2::date, newest) as last
    from (select min(day) as oldest, max(day) as newest from cost_daily) kept where oldest is not null
), months as materialized (
  select month from cost_months where month >= $1::date and (month + interval '1 month')::date <= $2::date + 1
), wanted as materialized (
  select day, exists (select from cost_days c where c.day = d.day) as closed,
         exists (select from months where month = date_trunc('month', day)) as in_month
    from (select first + n as day from span, generate_series(0, last - first) n) d
), open as materialized (
  select c.day, key_id, model, ${COLUMNS}
    from wanted cross join lateral (select * from cost_daily where day = wanted.day offset 0) c where not closed
)
select case when day is null then 'total' else 'day' end as kind, coalesce(to_char(day, 'YYYY-MM-DD'), '') as value, ${SUMS}
  from (
    select s.day, ${COLUMNS}
      from wanted cross join lateral (
             select * from cost_day_sums s where s.day = wanted.day and dimension = 'all' offset 0) s where closed
     union all
    select day, ${COLUMNS} from open) rows
 group by grouping sets ((day), ()) having count(*) > 0
 union all
select 'key', value, ${SUMS} from ${rowsOf('key', 'key_id', '$3')} group by value
 union all
select 'model', value, ${SUMS} from ${rowsOf('model', 'model', '$4')} group by value`;

const OF_ONE = `
with used as materialized (
  select day, model, ${COLUMNS} from cost_daily where key_id = $3 and day between $1::date and $2::date
)
select case when day is not null then 'day' when model is not null then 'model' else 'total' end as kind,
       coalesce(to_char(day, 'YYYY-MM-DD'), model, '') as value, ${SUMS}
  from used group by grouping sets ((day), (model), ()) having count(*) > 0
 union all
select 'key', $3::text, ${SUMS} from used having count(*) > 0`;

/** Rows of a key on the days of `days`, with their months: sums of closed days, and single rows of others. */
const keyRowsOf = (days: string): string => `
  select ${days}.month, s.day, ${COLUMNS}
    from ${days} cross join lateral (
           select * from cost_day_sums where day = ${days}.day and dimension = 'key' and value = $1::uuid::text offset 0) s
   where closed
  union all
  select ${days}.month, r.day, ${COLUMNS}
    from ${days} cross join lateral (select * from cost_daily where day = ${days}.day and key_id = $1::uuid offset 0) r
   where not closed`;

const HISTORY = `
with days as materialized (
  select null::date as month, day, exists (select from cost_days c where c.day = d.day) as closed from unnest($2::date[]) as d(day)
), months as materialized (
  select month, exists (select from cost_months c where c.month = m.month) as closed from unnest($3::date[]) as m(month)
), month_days as materialized (
  select month, day, exists (select from cost_days c where c.day = d.day) as closed
    from (select month, month + n as day
            from months, generate_series(0, (month + interval '1 month')::date - month - 1) n where not closed) d
)
select 'day' as kind, to_char(day, 'YYYY-MM-DD') as value, ${SUMS} from (${keyRowsOf('days')}) rows group by day
 union all
select 'month', to_char(month, 'YYYY-MM'), ${SUMS}
  from (
    select month, ${COLUMNS}
      from months cross join lateral (
             select ${COLUMNS} from cost_month_sums s
              where s.month = months.month and filtered = 'all' and value = '' and grouped = 'key' and other = $1::uuid::text offset 0) s
     where closed
    union all
    select month, ${COLUMNS} from (${keyRowsOf('month_days')}) d) rows
 group by month`;
