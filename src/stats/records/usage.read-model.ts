import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { figuresOf, NO_FIGURES, type FiguresRow, type UsageFigures } from './usage-figures.js';
import type { DayRange } from './usage-range.rules.js';

export interface UsageSummary {
  /** Of the whole range, also of what the lists below leave out. */
  readonly totals: UsageFigures;
  /** Days with usage, the newest first. */
  readonly daily: readonly (UsageFigures & { readonly day: string })[];
  /** The 500 with the most requests, the most first. */
  readonly byKey: readonly (UsageFigures & { readonly keyId: string; readonly keyName: string | null })[];
  /** Likewise. null: requests that named no model. */
  readonly byModel: readonly (UsageFigures & { readonly model: string | null })[];
}

interface Row extends FiguresRow {
  readonly kind: 'total' | 'day' | 'key' | 'model';
  readonly value: string;
  readonly name: string | null;
}

/** Usage of all keys or of one, over days (D17): exact, at most a second behind. */
@Injectable()
export class Usage {
  constructor(private readonly source: DataSource) {}

  /** @param keyId null: all keys; of an unknown one everything is 0 */
  async summary({ from, to }: DayRange, keyId: string | null): Promise<UsageSummary> {
    const rows =
      keyId === null
        ? await this.source.query<Row[]>(OF_ALL, [from, to])
        : await this.source.query<Row[]>(OF_ONE, [from, to, keyId]);
    const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
    const total = of('total')[0];
    return {
      totals: total === undefined ? NO_FIGURES : figuresOf(total),
      daily: of('day').map((row) => ({ day: row.value, ...figuresOf(row) })),
      byKey: of('key').map((row) => ({ keyId: row.value, keyName: row.name, ...figuresOf(row) })),
      byModel: of('model').map((row) => ({ model: row.value === '' ? null : row.value, ...figuresOf(row) })),
    };
  }
}

const SUMS = `sum(requests) as requests, sum(errors) as errors, sum(input_tokens) as input_tokens,
         sum(output_tokens) as output_tokens, sum(estimated_tokens) as estimated_tokens`;
const FIGURES = 'requests, errors, input_tokens, output_tokens, estimated_tokens';
const SHOWN = `requests::float8, errors::float8, input_tokens::float8, output_tokens::float8, estimated_tokens::float8`;

/** From the sums `by_day` (with a row for all of them, whose day is null), `by_key` and `by_model`. */
const ROWS = `
select * from (
  select case when day is null then 'total' else 'day' end as kind, to_char(day, 'YYYY-MM-DD') as value, null as name, ${SHOWN}
    from by_day where requests is not null
  union all
  select 'key', key_id::text, k.name, ${SHOWN}
    from (select * from by_key order by requests desc, key_id limit 500) most left join api_keys k on k.id = key_id
  union all
  select 'model', model, null, ${SHOWN} from (select * from by_model order by requests desc, model limit 500) most
) rows order by kind, case kind when 'day' then value end desc, requests desc, value`;

// Closed days come summed; of the others, mostly today, the rows are summed here, each day found by the index: planned as one join
// it took a look at every day. What is kept of days bounds the series, whatever was asked for.
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
