import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { UsageRow } from '../usage-ledger.js';

const ASKED_MAX = 4;

/**
 * Adds batches of sums to usage by month and by day, each batch exactly once, whatever became of the answer to it: its number is
 * checked and written in the same statement, in a row of `quota_writer` that only this process writes.
 */
@Injectable()
export class UsageStore {
  private writerId = randomUUID();
  private hasRow = false;
  /** Of the batch in hand; the last one committed is the one before. */
  private number = 1;

  constructor(private readonly source: DataSource) {}

  /** After a failure nobody knows whether the batch was stored: `write` is called again with the same rows until it resolves. */
  async write(rows: readonly UsageRow[]): Promise<void> {
    for (let asked = 0; asked < ASKED_MAX; asked++) {
      if (!this.hasRow) await this.insertWriter();
      const [answer] = await this.source.query<{ held: number; was: string | null }[]>(ADD, [
        this.writerId,
        this.number,
        ...columnsOf(rows),
      ]);
      const was = answer?.was ?? null;
      const stored = was === null ? null : Number(was);
      if (answer?.held === 1 || stored === this.number) {
        this.number += 1;
        return;
      }
      // One before: the first statement of this batch committed while this one waited for its lock, and a fresh look shows it.
      // Anything else: the row was idle for a week and deleted, or lost in a failover, so a new one is begun.
      if (stored !== this.number - 1) this.forgetWriter();
    }
    throw new Error('The usage batch was neither stored nor found stored');
  }

  private async insertWriter(): Promise<void> {
    await this.source.query('insert into quota_writer (writer_id, batch) values ($1, 0) on conflict do nothing', [
      this.writerId,
    ]);
    this.hasRow = true;
  }

  private forgetWriter(): void {
    this.writerId = randomUUID();
    this.hasRow = false;
    this.number = 1;
  }
}

// Rows of both tables are written in key order, by every process in the same order of tables: no deadlock.
const ADD = `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), r as materialized (
  select * from unnest($3::uuid[], $4::date[], $5::int[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
             as r(key_id, day, month, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
   where exists (select from fence)
), by_month as (
  insert into usage_monthly as u (key_id, month, requests, errors, input_tokens, output_tokens, estimated_tokens)
  select key_id, month, sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(estimated_tokens)
    from r group by key_id, month order by key_id, month
  on conflict (key_id, month) do update set requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
     input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
     estimated_tokens = u.estimated_tokens + excluded.estimated_tokens
), by_day as (
  insert into usage_daily as u (key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
  select key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens from r order by key_id, day, model
  on conflict (key_id, day, model) do update set requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
     input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
     estimated_tokens = u.estimated_tokens + excluded.estimated_tokens
), marked as (
  update quota_writer set batch = $2, at = clock_timestamp() where writer_id = $1 and batch = $2::bigint - 1
)
select (select count(*)::int from fence) as held, (select batch from quota_writer where writer_id = $1) as was`;

const DAY_MS = 86_400_000;

const columnsOf = (rows: readonly UsageRow[]): unknown[] => [
  rows.map((row) => row.keyId),
  rows.map((row) => new Date(row.day * DAY_MS).toISOString().slice(0, 10)),
  rows.map((row) => row.month),
  rows.map((row) => row.model),
  rows.map((row) => row.requests),
  rows.map((row) => row.errors),
  rows.map((row) => row.inputTokens),
  rows.map((row) => row.outputTokens),
  rows.map((row) => row.estimatedTokens),
];
