import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves rows of `unpriced_usage` to `unpriced_batches`, by the trigger of the migration before. */
export class MoveUnpricedUsage1790000022100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The previous release holds this lock while it prices rows.
    await runner.query(`select pg_advisory_xact_lock(hashtextextended('recompute-costs', 0))`);
    await runner.query(`
      with moved as (delete from unpriced_usage returning *)
      insert into unpriced_usage select * from moved`);
  }

  async down(): Promise<void> {
    // The migration before moves the rows back.
  }
}
