import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns and a table for counting in Redis. Redis is removed (ADR 0021), so this release does not use them. They are dropped in
 * the next release, because the release before still writes them during an upgrade.
 */
export class RedisCounts1790000013000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The version at which each window was last reset: what was counted before it is worth nothing, wherever it is found.
    await runner.query(`
      ALTER TABLE key_quota
        ADD COLUMN minute_reset bigint NOT NULL DEFAULT 0,
        ADD COLUMN day_reset bigint NOT NULL DEFAULT 0,
        ADD COLUMN month_reset bigint NOT NULL DEFAULT 0`);
    // Raised with each connection to Redis: what it holds of an older one is compared with the rows before it is believed.
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
