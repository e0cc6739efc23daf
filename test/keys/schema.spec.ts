import { expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ApiKey } from '../../src/keys/stores/api-key.entity.js';
import { ApiKeys1790000001000 } from '../../migrations/1790000001000-api-keys.js';

test('diff', async () => {
  const source = await new DataSource({ type: 'postgres', url: 'postgres://postgres@127.0.0.1/keys_helper_x1', installExtensions: false, entities: [ApiKey], migrations: [ApiKeys1790000001000] }).initialize();
  try {
    await source.runMigrations();
    await source.query('create table if not exists typeorm_metadata (type varchar not null, database varchar, schema varchar, "table" varchar, name varchar, value text)');
    await source.query(`delete from typeorm_metadata`); await source.query(`insert into typeorm_metadata values ('GENERATED_COLUMN', current_database(), 'public', 'api_keys', 'search', $1)`, ["lower(name) || E'\\n' || id::text"]);
    const log = await source.driver.createSchemaBuilder().log();
    expect(log.upQueries.map((q) => q.query)).toEqual([]);
  } finally { await source.destroy(); }
});
