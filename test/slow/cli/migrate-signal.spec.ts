import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/all.js';
import { TEST_SETTINGS } from '../../support/gateway-process.js';
import { cliProgram, programEnv } from '../../support/programs.js';
import { createEmptyDatabase, createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { until } from '../../support/until.js';

/** Starts with a migration that changes existing tables. */
const UNDONE = MIGRATIONS.slice(MIGRATIONS.findIndex(({ name }) => name.startsWith('StatisticsCosts')));
const BLOCKED = UNDONE[0]!.name;

let database: ScratchDatabase;
let client: Client;

beforeEach(() => {
  [database, client] = [undefined!, undefined!];
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function use(made: ScratchDatabase): Promise<void> {
  database = made;
  client = new Client({ connectionString: made.url, application_name: 'pg_dump' });
  await client.connect();
}

function startMigrate(...options: string[]) {
  const child = spawn(process.execPath, [...cliProgram(), 'migrate', ...options], {
    env: { ...programEnv(), ...TEST_SETTINGS, DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output.text += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, output, ended };
}

/** Migrations are pending, and another session holds locks on all tables that they could change. */
async function blockMigrations(): Promise<void> {
  await use(await createScratchDatabase());
  const runner = { query: (sql: string, parameters?: unknown[]) => client.query(sql, parameters) };
  for (const Migration of [...UNDONE].reverse()) {
    await new Migration().down(runner as unknown as QueryRunner);
    await client.query('delete from migrations where name = $1', [Migration.name]);
  }
  const tables = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
  );
  await client.query('begin');
  await client.query(`lock table ${tables.rows.map(({ name }) => name).join(', ')} in access exclusive mode`);
}

const isApplied = async () =>
  (await client.query('select 1 from migrations where name = $1', [BLOCKED])).rowCount === 1;

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)(
  '%s ends a migrate command that waits for a lock with code %d, and nothing is migrated later',
  async (signal, code) => {
    await blockMigrations();
    const { child, output, ended } = startMigrate();
    await until(() => output.text.includes('Blocked by process'));
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(output.text).toContain(
      `error: ${signal} stopped the migrations: ${BLOCKED} failed: ${signal} was received.`,
    );
    await client.query('commit');
    expect(await isApplied()).toBe(false);
  },
);

test('SIGTERM ends a migrate command that waits for another migrating process', async () => {
  await use(await createEmptyDatabase());
  await client.query(`select pg_advisory_lock(hashtextextended('gateway-migrations', 0))`);
  const { child, ended } = startMigrate();
  const waits = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'gateway-migrations'`;
  await until(async () => (await client.query(waits)).rowCount !== 0);
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  await client.query('select pg_advisory_unlock_all()');
  expect((await client.query(`select to_regclass('api_keys') as found`)).rows).toEqual([{ found: null }]);
});

test('with --json, retries are documents on stderr', async () => {
  await blockMigrations();
  const { output, ended } = startMigrate('--json');
  await until(() => output.text.includes('\n'));
  await client.query('commit');
  expect(await ended).toBe(0);
  const [note, ...rest] = output.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(note).toEqual({ note: expect.stringMatching(/Blocked by process \d+ \(application "pg_dump"/) });
  expect(rest.at(-1)).toEqual({ applied: UNDONE.map(({ name }) => name), unknown: [] });
});
