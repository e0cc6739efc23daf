import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables and columns for several upstreams (`GW_UPSTREAMS`). Without this setting they stay empty. */
export class Upstreams1790000017000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table upstream_catalogs (
        upstream text not null,
        body jsonb not null,
        fetched_at timestamptz(3) not null,
        constraint upstream_catalogs_pkey primary key (upstream)
      )`);
    await runner.query(`
      create table upstream_objects (
        id text collate "C" not null,
        upstream text not null,
        expires boolean not null,
        used_at timestamptz(3) not null default clock_timestamp(),
        constraint upstream_objects_pkey primary key (id)
      )`);
    await runner.query('create index upstream_objects_expiring on upstream_objects (used_at) where expires');
    await runner.query(`
      create table upstream_drains (
        upstream text not null,
        created_at timestamptz(3) not null default clock_timestamp(),
        created_by text not null,
        constraint upstream_drains_pkey primary key (upstream)
      )`);
    await runner.query(`
      create table upstream_files (
        id smallint not null default 1,
        digest text not null,
        loaded_at timestamptz(3) not null default clock_timestamp(),
        constraint upstream_files_pkey primary key (id),
        constraint upstream_files_one_row check (id = 1)
      )`);
    await runner.query(`
      create trigger upstream_catalogs_notify after insert or update on upstream_catalogs
        for each row execute function notify_model_catalog()`);
    await runner.query(`
      create function notify_upstream_drain() returns trigger language plpgsql as $$
      begin
        perform pg_notify('gw_policy', '');
        return null;
      end $$`);
    await runner.query(`
      create trigger upstream_drains_notify after insert or delete on upstream_drains
        for each row execute function notify_upstream_drain()`);
    for (const table of ['request_logs', 'request_refusals'])
      await runner.query(`alter table ${table} add column upstream text, add column attempts jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['request_logs', 'request_refusals'])
      await runner.query(`alter table ${table} drop column upstream, drop column attempts`);
    for (const table of ['upstream_files', 'upstream_drains', 'upstream_objects', 'upstream_catalogs'])
      await runner.query(`drop table ${table}`);
    await runner.query('drop function notify_upstream_drain()');
  }
}
