import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The kinds of `src/costs/usage-kinds.data.ts` that responses report, at the time of this migration. */
const KINDS = [
  ...['input', 'cached_input', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning'],
  ...['audio_input', 'cached_audio_input', 'audio_output', 'image_input', 'image_output'],
  ...['web_searches', 'file_searches', 'code_executions', 'images', 'audio_seconds', 'characters'],
] as const;
const KIND_COLUMNS = KINDS.map((kind) => `${kind} bigint not null`).join(',\n        ');

/** Prices of operators, costs by day, and requests whose model has no price. Amounts are integers in nano-dollars. */
export class Costs1790000018000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table model_prices (
        id uuid not null default gen_random_uuid(),
        provider text not null,
        model text not null,
        valid_from timestamptz(3) not null,
        valid_to timestamptz(3),
        terms jsonb not null,
        note text,
        created_at timestamptz(3) not null default clock_timestamp(),
        created_by text not null,
        constraint model_prices_pkey primary key (id),
        constraint model_prices_period check (valid_to is null or valid_to > valid_from)
      )`);
    await runner.query('create index model_prices_model on model_prices (model, provider, valid_from)');
    await runner.query(`
      create function notify_model_price() returns trigger language plpgsql as $$
      begin
        perform pg_notify('gw_policy', '');
        return null;
      end $$`);
    await runner.query(`
      create trigger model_prices_notify after insert or update or delete on model_prices
        for each statement execute function notify_model_price()`);
    await runner.query(`
      create table cost_daily (
        day date not null,
        key_id uuid not null,
        model text not null,
        endpoint text not null,
        provider text not null,
        requests bigint not null,
        unpriced_requests bigint not null,
        estimated_requests bigint not null,
        cost_nanos bigint not null,
        ${KIND_COLUMNS},
        backfilled boolean not null default false,
        constraint cost_daily_pkey primary key (day, key_id, model, endpoint, provider)
      )`);
    await runner.query('create index cost_daily_key on cost_daily (key_id, day)');
    await addClosedDays(runner);
    await addBackfill(runner);
    await addUnpricedUsage(runner);
    for (const table of ['request_logs', 'request_refusals'])
      await runner.query(`alter table ${table} add column cost_nanos bigint, add column cost jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['request_logs', 'request_refusals'])
      await runner.query(`alter table ${table} drop column cost_nanos, drop column cost`);
    const tables = ['unpriced_usage', 'cost_backfill', 'cost_day_sums', 'cost_days', 'cost_daily', 'model_prices'];
    for (const table of tables) await runner.query(`drop table ${table}`);
    await runner.query('drop function cost_day_changed()');
    await runner.query('drop function notify_model_price()');
  }
}

/** The same rules as for `usage_days`: a row of `cost_days` means that the sums of the day are complete. Every change reopens the day. */
async function addClosedDays(runner: QueryRunner): Promise<void> {
  await runner.query('create table cost_days (day date primary key)');
  // The dimension `all` has one row per day, with an empty value. Rankings read only the index.
  await runner.query(`
      create table cost_day_sums (
        day date not null references cost_days on delete cascade,
        dimension text collate "C" not null
          constraint cost_day_sums_dimension check (dimension in ('all', 'key', 'model', 'endpoint', 'provider')),
        value text collate "C" not null,
        requests bigint not null,
        unpriced_requests bigint not null,
        estimated_requests bigint not null,
        backfilled_requests bigint not null,
        cost_nanos bigint not null,
        ${KIND_COLUMNS},
        constraint cost_day_sums_pkey primary key (day, dimension, value) include (requests, cost_nanos)
      )`);
  await runner.query(`
      create function cost_day_changed() returns trigger language plpgsql as $$
      declare one date;
      begin
        for one in select distinct day from changed order by day loop
          perform pg_advisory_xact_lock_shared(hashtextextended('cost-day:' || (one - date '1970-01-01'), 0));
          delete from cost_days where day = one;
        end loop;
        return null;
      end $$`);
  for (const [did, event, rows] of [
    ['inserted', 'insert', 'new'],
    ['updated', 'update', 'new'],
    ['deleted', 'delete', 'old'],
  ] as const)
    await runner.query(`
      create trigger cost_daily_${did} after ${event} on cost_daily referencing ${rows} table as changed
        for each statement execute function cost_day_changed()`);
}

/**
 * One row: the progress of filling in days before this release. Days before `until` that have usage are filled in, from the newest
 * to the oldest. Those from `filled_from` on are done.
 */
async function addBackfill(runner: QueryRunner): Promise<void> {
  await runner.query(`
      create table cost_backfill (
        id smallint primary key default 1 constraint cost_backfill_one check (id = 1),
        until date,
        filled_from date,
        finished_at timestamptz(3)
      )`);
  await runner.query('insert into cost_backfill default values');
}

async function addUnpricedUsage(runner: QueryRunner): Promise<void> {
  await runner.query(`
      create table unpriced_usage (
        id uuid not null,
        day date not null,
        at timestamptz(3) not null,
        key_id uuid not null,
        model text not null,
        answered_model text not null,
        endpoint text not null,
        provider text not null,
        base_url text,
        cost_nanos bigint,
        usage jsonb not null,
        constraint unpriced_usage_pkey primary key (id)
      )`);
  await runner.query('create index unpriced_usage_model on unpriced_usage (answered_model, provider, at)');
  await runner.query('create index unpriced_usage_day on unpriced_usage (day)');
}
