import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/all.js';
import { runMigrations } from '../../../src/platform/database/migration-run.js';
import { createEmptyDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

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

  test('every migration can be reverted completely and run again', async () => {
    await source.runMigrations();
    const after: unknown = await source.query(OBJECTS);
    for (let done = MIGRATIONS.length; done > 0; done--) await source.undoLastMigration();
    expect(await source.query(OBJECTS)).toEqual([]);
    await source.runMigrations();
    expect(await source.query(OBJECTS)).toEqual(after);
  });

  test('migrations are listed in the order of their timestamps', () => {
    const numbers = MIGRATIONS.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('migrations reject if the server closes the connection immediately, without ending the process', async () => {
    const server = createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([TAKEN, READY, SHUT_DOWN]))),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `postgres://gateway@127.0.0.1:${port}/gateway`;
    const { signal } = new AbortController();
    const run = { url, migrations: MIGRATIONS, waitSeconds: 1, signal, onRetry: () => undefined };
    await expect(runMigrations(run)).rejects.toThrow();
    server.close();
  });
});

/** Returns a message of the PostgreSQL protocol: its letter, its length including these four bytes, and its content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.from(`${letter}0000`);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
const TAKEN = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const SHUT_DOWN = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));
