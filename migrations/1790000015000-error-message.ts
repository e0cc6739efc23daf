import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a refused caller was told: which limit, which field. Null where nothing was refused, and in rows of the release before,
 * which does not know the column.
 */
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
