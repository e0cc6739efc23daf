import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { databaseProblem } from '../../../src/platform/database/database-problem.rules.js';
import { migrateAtStart, runMigrations } from '../../../src/platform/database/migration-run.js';
import { createEmptyDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

/* Migrations depend neither on the timeouts of a database nor on its encoding. */

const TIMEOUTS = ['idle_in_transaction_session_timeout', 'idle_session_timeout', 'statement_timeout'];
const SESSION = `
  select array(select setting from pg_settings where name = any ($1) order by name) as timeouts,
         (select count(*)::int from pg_locks where locktype = 'advisory' and granted
             and database = (select oid from pg_database where datname = current_database())) as "lockHolders"`;

interface Session {
  readonly timeouts: readonly string[];
  readonly lockHolders: number;
}

/** Records the timeouts that apply to migrations, and how many sessions hold the lock of migrations. */
class RecordingMigration1 implements MigrationInterface {
  name = 'RecordingMigration1700000000000';
  static session: Session | null = null;

  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query(SESSION, [TIMEOUTS])) as Session[];
    RecordingMigration1.session = row!;
  }

  async down(): Promise<void> {}
}

let database: ScratchDatabase;
let client: Client;
beforeEach(() => {
  RecordingMigration1.session = null;
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function open(options = ''): Promise<void> {
  database = await createEmptyDatabase(options);
  client = new Client({ connectionString: database.url });
  await client.connect();
}

const run = () => ({
  url: database.url,
  migrations: [RecordingMigration1],
  waitSeconds: 1,
  signal: new AbortController().signal,
  onRetry: () => undefined,
});

test('a migration holds its lock, and no timeout of the database ends it', async () => {
  await open();
  const name = client.escapeIdentifier(new URL(database.url).pathname.slice(1));
  for (const timeout of TIMEOUTS) await client.query(`alter database ${name} set ${timeout} = '10min'`);
  await runMigrations(run());
  expect(RecordingMigration1.session).toEqual({ timeouts: ['0', '0', '0'], lockHolders: 1 });
});

test('neither a start nor the migrate command uses a database that is not in UTF8', async () => {
  await open(`encoding 'LATIN1' locale 'C'`);
  const query = async (sql: string, values?: unknown[]) =>
    (await client.query(sql, values)).rows as Record<string, unknown>[];
  await expect(runMigrations(run())).rejects.toMatchObject({ code: 'GW_ENCODING' });
  const error: unknown = await migrateAtStart(query, true, run()).catch((reason: unknown) => reason);
  expect(RecordingMigration1.session).toBeNull();
  expect(databaseProblem(error, database.url)).toMatchObject({
    message: expect.stringContaining('cannot store all texts (its encoding is LATIN1)'),
    advice: expect.stringContaining("encoding 'UTF8', restore the data there, and name it in DATABASE_URL"),
  });
});
