import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a repeated import recognize a key that was rotated since, so that it does not make the old raw key valid again. */
export class ImportedKeys1790000028000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table api_keys add column imported_hash bytea');
    await runner.query(
      'create unique index api_keys_imported_hash on api_keys (imported_hash) where imported_hash is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table api_keys drop column imported_hash');
  }
}
