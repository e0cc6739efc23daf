import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/all.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const OBJECTS = `
  select 'relation' as kind, relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'public' and relname not like 'migrations%' and relname not like 'PK\_%'
  union all select 'function', proname::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname = 'public'
  union all select 'trigger', tgname::text from pg_trigger where not tgisinternal
  order by 1, 2`;

describe('migrations', () => {
  let database: ScratchDatabase;
  let source: DataSource;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    source = new DataSource({ type: 'postgres', url: database.url, migrations: MIGRATIONS, poolSize: 1 });
    await source.initialize();
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  test('each undoes all that it did, and can be done again', async () => {
    await source.runMigrations();
    const after: unknown = await source.query(OBJECTS);
    for (let done = MIGRATIONS.length; done > 0; done--) await source.undoLastMigration();
    expect(await source.query(OBJECTS)).toEqual([]);
    await source.runMigrations();
    expect(await source.query(OBJECTS)).toEqual(after);
  });

  test('are listed in the order of their numbers', () => {
    const numbers = MIGRATIONS.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
