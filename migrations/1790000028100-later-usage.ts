import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The object in whose later response a request's usage arrives. The previous release leaves the column null. */
export class LaterUsage1790000028100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table unpriced_batches add column object_id text');
    await runner.query(
      'create index unpriced_batches_object on unpriced_batches (object_id, provider) where object_id is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table unpriced_batches drop column object_id');
  }
}
