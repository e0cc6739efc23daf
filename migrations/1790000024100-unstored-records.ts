import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records that the database rejects, and sums that cannot overflow. */
export class UnstoredRecords1790000024100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function bounded_sum(total numeric)
      returns bigint language sql immutable parallel safe as $$
      select least(total, 9223372036854775807)::bigint
      $$`);
    // The record is text, because the database can reject it as JSON.
    await runner.query(`
      create table unstored_records (
        id bigint generated always as identity primary key,
        at timestamptz(3) not null default clock_timestamp(),
        source text not null,
        key_id text not null,
        reason text not null,
        record text not null
      )`);
    await runner.query('create index unstored_records_at on unstored_records (at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table unstored_records');
    await runner.query('drop function bounded_sum(numeric)');
  }
}
