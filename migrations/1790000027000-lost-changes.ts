import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes that the database has lost, as the processes of the gateway remember them. */
export class LostChanges1790000027000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table lost_changes (
        id uuid primary key,
        at timestamptz not null,
        action text not null,
        actor_type text not null,
        actor_id text,
        target_type text not null,
        target_id text,
        target_name text,
        remembered jsonb,
        detected_at timestamptz(3) not null default clock_timestamp(),
        decision text constraint lost_changes_decision check (decision in ('applied', 'discarded')),
        decided_at timestamptz(3),
        decided_by text
      )`);
    await runner.query('create index lost_changes_decided_at on lost_changes (decided_at)');
    await runner.query(`
      create or replace function notify_lost_changes()
      returns trigger language plpgsql as $$
      begin
        perform pg_notify('gw_policy', '');
        return null;
      end
      $$`);
    await runner.query(`
      create trigger lost_changes_notify after insert or update or delete on lost_changes
      for each statement execute function notify_lost_changes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table lost_changes');
    await runner.query('drop function notify_lost_changes()');
  }
}
