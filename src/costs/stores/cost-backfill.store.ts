import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions, type Transaction } from '../../platform/database/transactions.js';
import type { DayCost, DayUsage } from '../report/backfill-cost.rules.js';
import { COUNTED_KINDS } from '../usage-kinds.data.js';

/** `waiting`: no cost has been recorded yet, or another process is filling in a day. */
type BackfillStep = { readonly filled: string } | 'finished' | 'waiting';

interface Progress {
  readonly until: string | null;
  readonly filled_from: string | null;
  readonly finished: boolean;
}

/** The usage of a key and model on a day before costs were recorded, without a complete price. */
interface UnpricedDayUsage extends DayUsage {
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

const ROWS_PER_STATEMENT = 1000;
const MODELS_MAX = 1000;

/** Costs of days before the first recorded cost. Nothing else writes these rows. */
@Injectable()
export class CostBackfillStore {
  constructor(
    private readonly source: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Fills in the costs of a day, the newest first, in one transaction that also stores the progress. It locks the progress, so each
   * day is filled in exactly once, whichever processes are killed.
   * @param costOf computes the cost of the usage of one key and model on a day such as `2026-07-31`
   */
  fillNext(costOf: (usage: DayUsage, day: string) => DayCost): Promise<BackfillStep> {
    return this.transactions.run(async (transaction) => {
      const [progress] = await transaction.query<Progress[]>(PROGRESS);
      if (progress === undefined) return 'waiting';
      if (progress.finished) return 'finished';
      const until = progress.until ?? (await firstRecordedDay(transaction));
      if (until === null) return 'waiting';
      const day = await lastUsedDay(transaction, progress.filled_from ?? until);
      if (day === null) {
        await transaction.query('update cost_backfill set until = $1, finished_at = clock_timestamp()', [until]);
        return 'finished';
      }
      const usages = await transaction.query<DayUsage[]>(USAGE, [day]);
      const costs = usages.map((usage) => costOf(usage, day));
      for (let at = 0; at < costs.length; at += ROWS_PER_STATEMENT)
        await transaction.query(INSERT, [day, jsonOf(costs.slice(at, at + ROWS_PER_STATEMENT))]);
      await transaction.query('update cost_backfill set until = $1, filled_from = $2', [until, day]);
      return { filled: day };
    });
  }

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
    const rows = await transaction.query<(DayUsage & { readonly nanos: string })[]>(UNPRICED, [day, model]);
    return rows.map((row) => ({ ...row, nanos: BigInt(row.nanos) }));
  }

  async setCosts(transaction: Transaction, day: string, costs: readonly DayCost[]): Promise<void> {
    await transaction.query(SET_COSTS, [day, jsonOf(costs)]);
  }

  /** The most used models first, at most 1,000. Days that are not closed yet are missing. */
  async models(): Promise<BackfilledModel[]> {
    return this.source.query<BackfilledModel[]>(MODELS);
  }
}

const PROGRESS = `
select until::text, filled_from::text, finished_at is not null as finished from cost_backfill for update skip locked`;

const USAGE = `
select key_id as "keyId", model, requests::float8 as requests, input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens"
  from usage_daily where day = $1 order by key_id, model`;

/** Before `until` is stored, no cost is filled in, so the first one was recorded. */
async function firstRecordedDay(transaction: Transaction): Promise<string | null> {
  const [first] = await transaction.query<{ day: string | null }[]>('select min(day)::text as day from cost_daily');
  return first?.day ?? null;
}

async function lastUsedDay(transaction: Transaction, before: string): Promise<string | null> {
  const [last] = await transaction.query<{ day: string | null }[]>(
    'select max(day)::text as day from usage_daily where day < $1',
    [before],
  );
  return last?.day ?? null;
}

// A JSON number above 2^53 would be rounded.
const jsonOf = (costs: readonly DayCost[]): string =>
  JSON.stringify(costs.map((cost) => ({ ...cost, nanos: String(cost.nanos) })));

const GIVEN = `jsonb_to_recordset($2::jsonb)
       as g("keyId" uuid, model text, requests bigint, "unpricedRequests" bigint, nanos bigint, "inputTokens" bigint, "outputTokens" bigint)`;

const UNITS = COUNTED_KINDS.map((kind) => (kind === 'input' || kind === 'output' ? `"${kind}Tokens"` : '0'));

const INSERT = `
insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, cost_nanos,
                        ${COUNTED_KINDS.join(', ')}, backfilled)
select $1::date, "keyId", model, '', '', requests, "unpricedRequests", 0, nanos, ${UNITS.join(', ')}, true
  from ${GIVEN}
on conflict do nothing`;

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
select key_id as "keyId", model, requests::float8 as requests, cost_nanos as nanos, input::float8 as "inputTokens", output::float8 as "outputTokens"
  from cost_daily
 where day = $1 and backfilled and unpriced_requests > 0 and ($2::text is null or model = $2)
 order by key_id, model
   for no key update`;

const SET_COSTS = `
update cost_daily u set cost_nanos = g.nanos, unpriced_requests = 0
  from ${GIVEN}
 where u.day = $1 and u.key_id = g."keyId" and u.model = g.model and u.endpoint = '' and u.provider = '' and u.backfilled`;

const MODELS = `
select value as model, sum(unpriced_requests)::float8 as requests, min(s.day)::text as "firstDay", max(s.day)::text as "lastDay",
       sum(input)::float8 as "inputTokens", sum(output)::float8 as "outputTokens"
  from cost_backfill b join cost_day_sums s on s.day < b.until
 where dimension = 'model' and ${IS_UNPRICED}
 group by value order by requests desc, value limit ${MODELS_MAX}`;
