import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import type { DayCost, DayUsage } from '../report/backfill-cost.rules.js';

/** The usage of a key and model on a day before costs were recorded, without a complete price. */
export interface UnpricedDayUsage extends DayUsage {
  /** Nano-dollars that are already in the sums. */
  readonly nanos: bigint;
}

/** A model whose requests before costs were recorded have no complete price. */
export interface BackfilledModel {
  readonly model: string;
  readonly requests: number;
  /** Such as `2026-07-31`. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Conditions on days. Null means no condition. */
export interface DayFilter {
  readonly model: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

const MODELS_MAX = 1000;

/** Costs of days before costs were recorded. Nothing else writes these rows after `CostBackfill` has filled them in. */
@Injectable()
export class BackfilledCostsStore {
  constructor(private readonly source: DataSource) {}

  /** The next day with usage that has no complete price, in order. @param after null at the start */
  async nextDay(
    transaction: Transaction,
    { model, from, to }: DayFilter,
    after: string | null,
  ): Promise<string | null> {
    const [next] = await transaction.query<{ day: string }[]>(NEXT_DAY, [model, from, to, after]);
    return next?.day ?? null;
  }

  /** Locks the usage of a day that has no complete price. */
  async unpriced(transaction: Transaction, day: string, model: string | null): Promise<UnpricedDayUsage[]> {
    const rows = await transaction.query<UnpricedRow[]>(UNPRICED, [day, model]);
    return rows.map((row) => ({
      ...{ keyId: row.key_id, model: row.model, nanos: BigInt(row.cost_nanos) },
      ...{ requests: Number(row.requests), inputTokens: Number(row.input), outputTokens: Number(row.output) },
    }));
  }

  async setCosts(transaction: Transaction, day: string, costs: readonly DayCost[]): Promise<void> {
    const rows = costs.map(({ keyId, model, nanos }) => ({ key_id: keyId, model, cost_nanos: String(nanos) }));
    await transaction.query(SET_COSTS, [day, JSON.stringify(rows)]);
  }

  /** The most used models first, at most 1,000. Days that are not closed yet are missing. */
  async models(): Promise<BackfilledModel[]> {
    return this.source.query<BackfilledModel[]>(MODELS);
  }
}

interface UnpricedRow {
  readonly key_id: string;
  readonly model: string;
  readonly requests: string;
  readonly cost_nanos: string;
  readonly input: string;
  readonly output: string;
}

const IS_UNPRICED = `backfilled_requests > 0 and unpriced_requests > 0`;

// Sums of closed days show which days have such usage, so that the rows of other days are not read.
const NEXT_DAY = `
with span as (
  select greatest(min(day), $2::date, $4::date + 1) as first, least((select until from cost_backfill) - 1, $3::date) as last from cost_daily
)
select day::text
  from (select first + n as day from span, generate_series(0, last - first) n) d
 where case when exists (select from cost_days c where c.day = d.day)
            then exists (select from cost_day_sums s
                          where s.day = d.day and dimension = case when $1::text is null then 'all' else 'model' end
                            and value = coalesce($1, '') and ${IS_UNPRICED})
            else exists (select from cost_daily r
                          where r.day = d.day and backfilled and unpriced_requests > 0 and ($1::text is null or r.model = $1)) end
 order by day limit 1`;

const UNPRICED = `
select key_id, model, requests, cost_nanos, input, output from cost_daily
 where day = $1 and backfilled and unpriced_requests > 0 and ($2::text is null or model = $2)
 order by key_id, model
   for no key update`;

const SET_COSTS = `
update cost_daily u set cost_nanos = g.cost_nanos, unpriced_requests = 0
  from jsonb_to_recordset($2::jsonb) as g(key_id uuid, model text, cost_nanos bigint)
 where u.day = $1 and u.key_id = g.key_id and u.model = g.model and u.endpoint = '' and u.provider = '' and u.backfilled`;

const MODELS = `
select value as model, sum(unpriced_requests)::float8 as requests, min(s.day)::text as "firstDay", max(s.day)::text as "lastDay",
       sum(input)::float8 as "inputTokens", sum(output)::float8 as "outputTokens"
  from cost_backfill b join cost_day_sums s on s.day < b.until
 where dimension = 'model' and ${IS_UNPRICED}
 group by value order by requests desc, value limit ${MODELS_MAX}`;
