import { Injectable } from '@nestjs/common';
import { Transactions, type Transaction } from '../../database/transactions.js';
import type { DayCost, DayUsage } from '../report/backfill-cost.rules.js';
import { COUNTED_KINDS } from '../report/counted-kinds.data.js';

/** `waiting`: no cost has been recorded yet, or another process is filling in a day. */
export type BackfillStep = { readonly filled: string } | 'finished' | 'waiting';

interface Progress {
  readonly until: string | null;
  readonly filled_from: string | null;
  readonly finished: boolean;
}

interface UsageRow {
  readonly key_id: string;
  readonly model: string;
  readonly requests: string;
  readonly input_tokens: string;
  readonly output_tokens: string;
}

const ROWS_PER_STATEMENT = 1000;

/**
 * Fills in costs of days before the first recorded cost, the newest first. Each day is one transaction that also stores the progress.
 * It locks the progress, so each day is filled in exactly once, whichever processes are killed.
 */
@Injectable()
export class CostBackfillStore {
  constructor(private readonly transactions: Transactions) {}

  /** @param costOf computes the cost of the usage of one key and model on a day such as `2026-07-31` */
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
      const rows = await transaction.query<UsageRow[]>(USAGE, [day]);
      const costs = rows.map((row) => costOf(usageOf(row), day));
      for (let at = 0; at < costs.length; at += ROWS_PER_STATEMENT)
        await transaction.query(INSERT, [day, ...columnsOf(costs.slice(at, at + ROWS_PER_STATEMENT))]);
      await transaction.query('update cost_backfill set until = $1, filled_from = $2', [until, day]);
      return { filled: day };
    });
  }
}

const PROGRESS = `
select until::text, filled_from::text, finished_at is not null as finished from cost_backfill for update skip locked`;

const USAGE = `
select key_id, model, requests, input_tokens, output_tokens from usage_daily where day = $1 order by key_id, model`;

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

const usageOf = (row: UsageRow): DayUsage => ({
  keyId: row.key_id,
  model: row.model,
  requests: Number(row.requests),
  inputTokens: Number(row.input_tokens),
  outputTokens: Number(row.output_tokens),
});

const UNITS = COUNTED_KINDS.map((kind) => (kind === 'input' || kind === 'output' ? kind : '0'));

const INSERT = `
insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, cost_nanos,
                        ${COUNTED_KINDS.join(', ')}, backfilled)
select $1::date, key_id, model, '', '', requests, unpriced_requests, 0, cost_nanos, ${UNITS.join(', ')}, true
  from unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
       as r(key_id, model, requests, unpriced_requests, cost_nanos, input, output)
on conflict do nothing`;

const columnsOf = (costs: readonly DayCost[]): unknown[] => [
  costs.map(({ keyId }) => keyId),
  costs.map(({ model }) => model),
  costs.map(({ requests }) => requests),
  costs.map(({ unpricedRequests }) => unpricedRequests),
  costs.map(({ nanos }) => String(nanos)),
  costs.map(({ inputTokens }) => inputTokens),
  costs.map(({ outputTokens }) => outputTokens),
];
