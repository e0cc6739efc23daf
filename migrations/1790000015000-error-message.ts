import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The error message of a rejected request. Null for other requests and in rows of the previous release. */
export class ErrorMessage1790000015000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_logs ADD COLUMN error_message text');
    await runner.query('ALTER TABLE request_refusals ADD COLUMN error_message text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_refusals DROP COLUMN error_message');
    await runner.query('ALTER TABLE request_logs DROP COLUMN error_message');
  }
}
