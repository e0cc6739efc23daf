import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The kinds of `src/costs/usage-kinds.data.ts` that responses report, at the time of this migration. */
const KINDS = [
  ...['input', 'cached_input', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning'],
  ...['audio_input', 'cached_audio_input', 'audio_output', 'image_input', 'image_output'],
  ...['web_searches', 'file_searches', 'code_executions', 'images', 'audio_seconds', 'characters'],
] as const;

/**
 * Sums of closed months by key, model, endpoint and provider, and by two of them. The same rules as for `cost_days`: a row of
 * `cost_months` means that the sums of the month are complete. Every change reopens the month.
 */
export class CostMonths1790000022300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table cost_months (month date primary key)');
    // `value` filters by a dimension, and `other` are the values of another one. With `all`, `value` is empty. Rankings read only the
    // index.
    await runner.query(`
      create table cost_month_sums (
        month date not null references cost_months on delete cascade,
        filtered text collate "C" not null
          constraint cost_month_sums_filtered check (filtered in ('all', 'model', 'endpoint', 'provider')),
        value text collate "C" not null,
        grouped text collate "C" not null
          constraint cost_month_sums_grouped check (grouped in ('key', 'model', 'endpoint', 'provider') and grouped <> filtered),
        other text collate "C" not null,
        requests bigint not null,
        unpriced_requests bigint not null,
        estimated_requests bigint not null,
        backfilled_requests bigint not null,
        cost_nanos bigint not null,
        ${KINDS.map((kind) => `${kind} bigint not null`).join(',\n        ')},
        constraint cost_month_sums_pkey primary key (month, filtered, value, grouped, other) include (requests, cost_nanos)
      )`);
    await replaceTriggerFunction(
      runner,
      `for one in select distinct date_trunc('month', day)::date from changed order by 1 loop
          perform pg_advisory_xact_lock_shared(hashtextextended('cost-month:' || (one - date '1970-01-01'), 0));
          delete from cost_months where month = one;
        end loop;`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceTriggerFunction(runner, '');
    for (const table of ['cost_month_sums', 'cost_months']) await runner.query(`drop table ${table}`);
  }
}

/** Every process locks days first, so that there are no deadlocks. */
async function replaceTriggerFunction(runner: QueryRunner, months: string): Promise<void> {
  await runner.query(`
      create or replace function cost_day_changed() returns trigger language plpgsql as $$
      declare one date;
      begin
        for one in select distinct day from changed order by day loop
          perform pg_advisory_xact_lock_shared(hashtextextended('cost-day:' || (one - date '1970-01-01'), 0));
          delete from cost_days where day = one;
        end loop;
        ${months}
        return null;
      end $$`);
}
