import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The source of a request's token counts (D14). Null in rows of the previous release. Sums use `estimated_tokens` instead. */
export class UsageSource1790000007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_logs ADD COLUMN usage_source text');
    await runner.query('ALTER TABLE request_refusals ADD COLUMN usage_source text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_refusals DROP COLUMN usage_source');
    await runner.query('ALTER TABLE request_logs DROP COLUMN usage_source');
  }
}
