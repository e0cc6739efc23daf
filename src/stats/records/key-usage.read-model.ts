import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { figuresOf, type FiguresRow, type UsageFigures } from './usage-figures.js';
import type { DayRange } from './usage-range.rules.js';

export interface KeyUsageQuery extends DayRange {
  readonly days: number;
  readonly months: number;
}

export interface KeyUsageHistory {
  /** Days with usage, as `2026-07-31`, the newest first. */
  readonly daily: readonly (UsageFigures & { readonly day: string })[];
  /** Months with usage, as `2026-07`, the newest first. */
  readonly monthly: readonly (UsageFigures & { readonly month: string })[];
}

interface Row extends FiguresRow {
  readonly kind: 'day' | 'month';
  readonly value: string;
}

/** One key's usage by day and by month (D17), from two tables that are written together: months are kept longer than days. */
@Injectable()
export class KeyUsage {
  constructor(private readonly source: DataSource) {}

  /**
   * The newest days within the range and the newest months that have a day in it, each month whole.
   * @param query `days` and `months`: how many at most
   */
  async history(keyId: string, { from, to, days, months }: KeyUsageQuery): Promise<KeyUsageHistory> {
    const rows = await this.source.query<Row[]>(HISTORY, [keyId, from, to, days, months]);
    return {
      daily: rows.filter(({ kind }) => kind === 'day').map((row) => ({ day: row.value, ...figuresOf(row) })),
      monthly: rows.filter(({ kind }) => kind === 'month').map((row) => ({ month: row.value, ...figuresOf(row) })),
    };
  }
}

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
