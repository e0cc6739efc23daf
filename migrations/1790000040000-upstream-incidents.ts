import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Upstreams that refuse or fail requests now. A row exists until no process has seen its incident for a while. */
export class UpstreamIncidents1790000040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table upstream_incidents (
        upstream text not null,
        status text not null,
        began_at timestamptz not null,
        seen_at timestamptz not null,
        last_error jsonb,
        primary key (upstream, status)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table upstream_incidents');
  }
}
