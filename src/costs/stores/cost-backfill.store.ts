import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import { Transactions, type Transaction } from '../../platform/database/transactions.js';
import type { DayCost, DayUsage } from '../report/backfill-cost.rules.js';

const PROGRESS = sqlFile(import.meta.url, './backfill-progress.sql');
const USAGE = sqlFile(import.meta.url, './backfill-usage.sql');
const INSERT = sqlFile(import.meta.url, './insert-backfilled-costs.sql');
const NEXT_DAY = sqlFile(import.meta.url, './next-unpriced-day.sql');
const UNPRICED = sqlFile(import.meta.url, './lock-unpriced-day.sql');
const SET_COSTS = sqlFile(import.meta.url, './set-backfilled-costs.sql');
const MODELS = sqlFile(import.meta.url, './backfilled-models.sql');

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

/** Conditions on days. Null if the condition does not apply. */
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
    return this.source.query<BackfilledModel[]>(MODELS, [MODELS_MAX]);
  }
}

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
