import type { DataSource } from 'typeorm';
import type { Days } from '../../costs/days.rules.js';

/** Usage sums (D33). Exact up to 2^53, rounded above. */
export interface UsageFigures {
  readonly requests: number;
  readonly errors: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Included in the other two. */
  readonly estimatedTokens: number;
}

export interface UsageSummary {
  /** Sums of the whole range, including keys and models that the lists below leave out. */
  readonly totals: UsageFigures;
  readonly daily: readonly (UsageFigures & { readonly day: string })[];
  /** The 500 keys with the most requests, in descending order. */
  readonly byKey: readonly (UsageFigures & { readonly keyId: string; readonly keyName: string | null })[];
  /** The 500 models with the most requests, in descending order. Null for requests without a model. */
  readonly byModel: readonly (UsageFigures & { readonly model: string | null })[];
}

export interface KeyUsageQuery extends Days {
  readonly days: number;
  readonly months: number;
}

export interface KeyUsageHistory {
  /** Days with usage such as `2026-07-31`, newest first. */
  readonly daily: readonly (UsageFigures & { readonly day: string })[];
  /** Months with usage such as `2026-07`, newest first. */
  readonly monthly: readonly (UsageFigures & { readonly month: string })[];
}

/** The database, or a transaction with its snapshot. */
export type Reader = Pick<DataSource, 'query'>;

/**
 * The usage of all keys or of one key over a range of days (D17). It is exact and at most a second behind.
 * @param keyId null for all keys; the usage of an unknown key is 0
 */
export async function readUsage(reader: Reader, { from, to }: Days, keyId: string | null): Promise<UsageSummary> {
  const rows =
    keyId === null
      ? await reader.query<Row[]>(OF_ALL, [from, to])
      : await reader.query<Row[]>(OF_ONE, [from, to, keyId]);
  const rowsOfKind = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const total = rowsOfKind('total')[0];
  return {
    totals: total === undefined ? NO_FIGURES : figuresOf(total),
    daily: rowsOfKind('day').map((row) => ({ day: row.value, ...figuresOf(row) })),
    byKey: rowsOfKind('key').map((row) => ({ keyId: row.value, keyName: row.name, ...figuresOf(row) })),
    byModel: rowsOfKind('model').map((row) => ({ model: row.value === '' ? null : row.value, ...figuresOf(row) })),
  };
}

/**
 * The newest days and the newest whole months of a key that overlap the range (D17). Days and months are separate tables, because months
 * are kept longer.
 * @param query `days` and `months` limit rows
 */
export async function readKeyUsage(
  reader: Reader,
  keyId: string,
  { from, to, days, months }: KeyUsageQuery,
): Promise<KeyUsageHistory> {
  const rows = await reader.query<HistoryRow[]>(HISTORY, [keyId, from, to, days, months]);
  return {
    daily: rows.filter(({ kind }) => kind === 'day').map((row) => ({ day: row.value, ...figuresOf(row) })),
    monthly: rows.filter(({ kind }) => kind === 'month').map((row) => ({ month: row.value, ...figuresOf(row) })),
  };
}

interface Row extends FiguresRow {
  readonly kind: 'total' | 'day' | 'key' | 'model';
  readonly value: string;
  readonly name: string | null;
}

interface HistoryRow extends FiguresRow {
  readonly kind: 'day' | 'month';
  readonly value: string;
}

const NO_FIGURES: UsageFigures = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimatedTokens: 0,
};

/** The columns are float8, because pg returns bigint as text. */
interface FiguresRow {
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly estimated_tokens: number;
}

const figuresOf = (row: FiguresRow): UsageFigures => ({
  requests: row.requests,
  errors: row.errors,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  estimatedTokens: row.estimated_tokens,
});

const SUMS = `sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens`;
const FIGURES = 'requests, errors, input_tokens, output_tokens, estimated_tokens';
const AS_FLOATS = `requests::float8, errors::float8, input_tokens::float8, output_tokens::float8, estimated_tokens::float8`;

/** Reads `by_day`, `by_key` and `by_model`. The row of `by_day` with a null day is the total. */
const ROWS = `
select * from (
  select case when day is null then 'total' else 'day' end as kind, to_char(day, 'YYYY-MM-DD') as value, null as name, ${AS_FLOATS}
    from by_day where requests is not null
  union all
  select 'key', key_id::text, k.name, ${AS_FLOATS}
    from (select * from by_key order by requests desc, key_id limit 500) most left join api_keys k on k.id = key_id
  union all
  select 'model', model, null, ${AS_FLOATS} from (select * from by_model order by requests desc, model limit 500) most
) rows order by kind, case kind when 'day' then value end desc, requests desc, value`;

// Closed days are read from their sums. The rows of other days, mostly today, are summed here. The lateral join looks up each day
// in the index, because a plain join would read every day. The stored days bound the series, regardless of the range.
const OF_ALL = `
with span as (
  select greatest($1::date, oldest) as first, least($2::date, newest) as last
    from (select min(day) as oldest, max(day) as newest from usage_daily) kept where oldest is not null
), open_days as materialized (
  select first + n as day from span, generate_series(0, last - first) n
   where not exists (select from usage_days closed where closed.day = first + n)
), open as materialized (
  select u.day, key_id, model, sum(requests)::bigint as requests, sum(errors)::bigint as errors, sum(input_tokens)::bigint as input_tokens,
         sum(output_tokens)::bigint as output_tokens, sum(estimated_tokens)::bigint as estimated_tokens
    from open_days cross join lateral (select * from usage_daily where day = open_days.day offset 0) u
   group by grouping sets ((u.day), (key_id), (model))
), by_day as (
  select day, ${SUMS}
    from (select day, ${FIGURES} from usage_day_models where day between $1 and $2
          union all select day, ${FIGURES} from open where day is not null) d group by grouping sets ((day), ())
), by_key as (
  select key_id, ${SUMS}
    from (select key_id, ${FIGURES} from usage_day_keys where day between $1 and $2
          union all select key_id, ${FIGURES} from open where key_id is not null) k group by key_id
), by_model as (
  select model, ${SUMS}
    from (select model, ${FIGURES} from usage_day_models where day between $1 and $2
          union all select model, ${FIGURES} from open where model is not null) m group by model
) ${ROWS}`;

const OF_ONE = `
with used as materialized (
  select key_id, day, model, ${FIGURES} from usage_daily where key_id = $3 and day between $1 and $2
), by_day as (
  select day, ${SUMS} from used group by grouping sets ((day), ())
), by_key as (
  select key_id, ${SUMS} from used group by key_id
), by_model as (
  select model, ${SUMS} from used group by model
) ${ROWS}`;

// month: year * 12 + month - 1.
const HISTORY = `
select * from (
  (select 'day' as kind, to_char(day, 'YYYY-MM-DD') as value, sum(requests)::float8 as requests, sum(errors)::float8 as errors,
          sum(input_tokens)::float8 as input_tokens, sum(output_tokens)::float8 as output_tokens,
          sum(estimated_tokens)::float8 as estimated_tokens
     from usage_daily where key_id = $1 and day between $2::date and $3::date group by day order by day desc limit $4)
  union all
  (select 'month', to_char(make_date(month / 12, month % 12 + 1, 1), 'YYYY-MM'), requests::float8, errors::float8,
          input_tokens::float8, output_tokens::float8, estimated_tokens::float8
     from usage_monthly
    where key_id = $1 and month between (extract(year from $2::date) * 12 + extract(month from $2::date) - 1)::int
                                    and (extract(year from $3::date) * 12 + extract(month from $3::date) - 1)::int
    order by month desc limit $5)
) rows order by kind, value desc`;
