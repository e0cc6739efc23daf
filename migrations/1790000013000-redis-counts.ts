import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns and a table for counting in Redis, which this release does not use (ADR 0021). The next release drops them, because the
 * previous release still writes them during an upgrade.
 */
export class RedisCounts1790000013000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The version at which each window was last reset. Older counts are invalid.
    await runner.query(`
      ALTER TABLE key_quota
        ADD COLUMN minute_reset bigint NOT NULL DEFAULT 0,
        ADD COLUMN day_reset bigint NOT NULL DEFAULT 0,
        ADD COLUMN month_reset bigint NOT NULL DEFAULT 0`);
    // Increases with each connection to Redis. Counts of an older connection are checked against the rows first.
    await runner.query(`
      CREATE TABLE quota_epoch (
        one boolean PRIMARY KEY DEFAULT true CONSTRAINT quota_epoch_one CHECK (one),
        epoch bigint NOT NULL DEFAULT 1
      )`);
    await runner.query('INSERT INTO quota_epoch DEFAULT VALUES');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE quota_epoch');
    await runner.query(
      'ALTER TABLE key_quota DROP COLUMN minute_reset, DROP COLUMN day_reset, DROP COLUMN month_reset',
    );
  }
}
