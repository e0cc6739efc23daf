import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { createEmptyDatabase, createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startTransactionPooler } from '../support/transaction-pooler.js';
import { cli, cliJson, cliProcessJson } from './command.js';

const ALL = MIGRATIONS.map(({ name }) => name);

let database: ScratchDatabase;
let env: Record<string, string>;

const use = (made: ScratchDatabase) => {
  database = made;
  env = { DATABASE_URL: made.url };
};

afterEach(() => database.drop());

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('migrate on an empty database', () => {
  beforeEach(async () => use(await createEmptyDatabase()));

  test('migrate --status lists pending migrations without running them, and migrate runs them once', async () => {
    const status = () => cliJson(['migrate', '--status'], { env });
    expect(await status()).toEqual({ code: 0, failed: false, body: { applied: [], pending: ALL, unknown: [] } });
    expect(await query('select 1 from pg_tables where schemaname = current_schema()')).toEqual([]);
    expect(await cliProcessJson(['migrate'], { env })).toEqual({
      code: 0,
      failed: false,
      body: { applied: ALL, unknown: [] },
    });
    expect((await status()).body).toEqual({ applied: ALL, pending: [], unknown: [] });
    const { code, stdout } = await cli(['migrate'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No migrations are pending.\n' });
  });

  test('other commands fail with migrations_pending and do not change the database', async () => {
    const { code, body } = await cliJson(['key', 'create', '--name', 'early'], { env });
    expect({ code, body }).toMatchObject({ code: 1, body: { error: { code: 'migrations_pending', param: null } } });
    expect(await query('select 1 from pg_tables where schemaname = current_schema()')).toEqual([]);
  });

  test('migrate fails behind a pooler in transaction mode, names it, and changes nothing', async () => {
    const pooler = await startTransactionPooler(database.url);
    const { code, body } = await cliJson(['migrate'], { env: { DATABASE_URL: pooler.url } });
    await pooler.stop();
    const message = expect.stringMatching(
      /is a connection pooler that is not in session mode .*Set the pooler to session/,
    );
    expect({ code, body }).toMatchObject({ code: 1, body: { error: { code: 'database_unavailable', message } } });
    expect(await query('select 1 from pg_tables where schemaname = current_schema()')).toEqual([]);
  });

  test('two concurrent migrate commands both succeed and run each migration once', async () => {
    const [one, other] = await Promise.all([
      cliProcessJson(['migrate'], { env }),
      cliProcessJson(['migrate'], { env }),
    ]);
    expect([one.code, other.code]).toEqual([0, 0]);
    expect(await query('select count(*)::int as n from migrations')).toEqual([{ n: ALL.length }]);
  });

  test('a failed migration is reported with its reason, and the rest stays pending', async () => {
    await query('create table key_quota (nothing int)');
    const { code, body } = await cliProcessJson<{ error: { message: string } }>(['migrate'], { env });
    expect({ code, body }).toMatchObject({ code: 1, body: { error: { code: 'migration_failed', param: null } } });
    expect(body.error.message).toMatch(/^Quota1790000002000 failed: .*key_quota.*already exists.*ApiKeys1790000001000/);
    const { body: status } = await cliJson(['migrate', '--status'], { env });
    expect(status).toEqual({ applied: ALL.slice(0, 1), pending: ALL.slice(1), unknown: [] });
  });
});

describe('migrate on the database of a newer release', () => {
  test('migrate --status lists unknown migrations, and commands still work', async () => {
    use(await createScratchDatabase());
    await query(`insert into migrations (timestamp, name) values (1990000000000, 'Later1990000000000')`);
    const { body } = await cliJson(['migrate', '--status'], { env });
    expect(body).toEqual({ applied: ALL, pending: [], unknown: ['Later1990000000000'] });
    expect((await cli(['migrate', '--status'], { env })).stdout).toContain('unknown  Later1990000000000\n');
    expect((await cliJson(['key', 'list'], { env })).code).toBe(0);
  });
});
