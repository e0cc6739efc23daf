import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts of failed requests by day, key and error code. `rejected` counts those that were not admitted, which usage does not include. The
 * key of requests without a known key is the nil UUID.
 */
export class RequestErrors1790000026100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Half of each page stays free, so that updates stay on the page.
    await runner.query(`
      create table request_errors_daily (
        day date,
        key_id uuid,
        code text,
        requests bigint not null,
        rejected bigint not null,
        primary key (day, key_id, code)
      ) with (fillfactor = 70)`);
    await runner.query('create index request_errors_daily_key on request_errors_daily (key_id, day)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table request_errors_daily');
  }
}
