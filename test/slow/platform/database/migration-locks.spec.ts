import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { MIGRATION_LOCK_TIMEOUT_MS } from '../../../../src/platform/database/migration-locks.js';
import { MigrationBlocked, runMigrations, type MigrationRun } from '../../../../src/platform/database/migration-run.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { until } from '../../../support/until.js';

class AlterKeys1900000001000 {
  readonly name = 'AlterKeys1900000001000';
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table api_keys add column trial_one int');
  }
  async down(): Promise<void> {}
}

/** Holds the lock of `api_keys` while it waits for five others, each for less than the lock timeout. */
class WaitOften1900000002000 {
  readonly name = 'WaitOften1900000002000';
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table api_keys add column trial_two int');
    for (const lock of LOCKS) await db.query('select pg_advisory_xact_lock($1)', [lock]);
  }
  async down(): Promise<void> {}
}
/** Without the observer, the migration would block the table until it has waited for all of them, 4.5 s in total. */
const LOCKS = Array.from({ length: 30 }, (_, index) => index + 1);

class Slow1900000003000 {
  readonly name = 'Slow1900000003000';
  async up(db: QueryRunner): Promise<void> {
    await db.query('create table trial_slow ()');
    await db.query('select pg_sleep(60)');
  }
  async down(): Promise<void> {}
}

class Wrong1900000004000 {
  readonly name = 'Wrong1900000004000';
  async up(db: QueryRunner): Promise<void> {
    await db.query('select 1 / 0');
  }
  async down(): Promise<void> {}
}

class Later1900000005000 {
  readonly name = 'Later1900000005000';
  async up(db: QueryRunner): Promise<void> {
    await db.query('create table trial_later ()');
  }
  async down(): Promise<void> {}
}

let database: ScratchDatabase;
let clients: Client[];
let notes: string[];

beforeEach(async () => {
  [database, clients, notes] = [await createScratchDatabase(), [], []];
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

async function connect(name = 'test'): Promise<Client> {
  const client = new Client({ connectionString: database.url, application_name: name });
  await client.connect();
  clients.push(client);
  return client;
}

/** Reads the table in an open transaction, as pg_dump does. */
async function longReader(...tables: string[]): Promise<Client> {
  const reader = await connect('pg_dump');
  await reader.query('begin');
  for (const table of tables) await reader.query(`lock table ${table} in access share mode`);
  return reader;
}

const run = (migrations: MigrationRun['migrations'], given: Partial<MigrationRun> = {}) =>
  runMigrations({
    url: database.url,
    migrations,
    waitSeconds: 60,
    signal: new AbortController().signal,
    onRetry: (text) => void notes.push(text),
    ...given,
  });

async function applied(name: string): Promise<boolean> {
  const { rowCount } = await clients[0]!.query('select 1 from migrations where name = $1', [name]);
  return rowCount === 1;
}

describe('a migration behind a long reader', () => {
  test('a migration behind a long reader is retried as a whole until the reader ends, and logs the process, application and age of the reader', async () => {
    const reader = await longReader('api_keys');
    const { rows } = await reader.query<{ pid: number }>(`select pg_backend_pid() as pid, 'hunter2' as secret`);
    const running = run([AlterKeys1900000001000, Later1900000005000]);
    await until(() => notes.length >= 2);
    await reader.query('commit');
    await running;
    expect(notes[0]).toMatch(
      new RegExp(
        `^Migration AlterKeys1900000001000 did not get its locks within 200 ms and was rolled back\\. Blocked by process ${rows[0]!.pid} ` +
          `\\(application "pg_dump", transaction open for \\d+ s\\)\\. Attempt 2 follows in 500 ms$`,
      ),
    );
    expect(notes.join()).not.toContain('hunter2');
    expect([await applied('AlterKeys1900000001000'), await applied('Later1900000005000')]).toEqual([true, true]);
  });

  test('a migration makes other sessions wait no longer than its lock timeout, even if it already holds locks', async () => {
    const [holder, bystander] = [await connect(), await connect()];
    for (const lock of LOCKS) await holder.query('select pg_advisory_lock($1)', [lock]);
    let ended = false;
    const running = run([WaitOften1900000002000]).finally(() => (ended = true));
    await until(async () => (await holder.query(`select 1 from pg_locks where not granted`)).rowCount === 1);
    // Read before the first release, so that the reads meet the locked table.
    const waits: number[] = [];
    const reads = (async () => {
      while (!ended) {
        const beganAtMs = performance.now();
        await bystander.query('select count(*) from api_keys');
        waits.push(performance.now() - beganAtMs);
      }
    })();
    for (const lock of LOCKS) {
      await pause(0.75 * MIGRATION_LOCK_TIMEOUT_MS);
      await holder.query('select pg_advisory_unlock($1)', [lock]);
    }
    await Promise.all([running, reads]);
    expect(notes).not.toHaveLength(0);
    expect(Math.max(...waits)).toBeGreaterThan(MIGRATION_LOCK_TIMEOUT_MS / 2);
    // Two thirds of the wait without the observer. The rest is tolerance for a busy machine.
    expect(Math.max(...waits)).toBeLessThan(0.5 * LOCKS.length * MIGRATION_LOCK_TIMEOUT_MS);
  });

  test('fails after the wait with the blocking session, and leaves the database unchanged', async () => {
    await longReader('api_keys');
    const failure = await run([AlterKeys1900000001000, Later1900000005000], { waitSeconds: 2 }).catch((error) => error);
    expect(failure).toBeInstanceOf(MigrationBlocked);
    expect(String(failure)).toMatch(
      /AlterKeys1900000001000 did not get its locks .* \d times in 2 s\. Blocked by process \d+ \(application "pg_dump"/,
    );
    expect([await applied('AlterKeys1900000001000'), await applied('Later1900000005000')]).toEqual([false, false]);
  });
});

describe('a run of migrations', () => {
  test('fails after the wait if another process holds the lock of migrations, and names that process', async () => {
    const other = await connect('other-release');
    await other.query(`select pg_advisory_lock(hashtextextended('gateway-migrations', 0))`);
    await expect(run([Later1900000005000], { waitSeconds: 1 })).rejects.toThrow(
      /another process has been migrating for 1 s: process \d+ \(application "other-release", /,
    );
  });

  test('does not retry a migration that fails for another reason', async () => {
    await connect();
    await expect(run([Wrong1900000004000, Later1900000005000])).rejects.toThrow('division by zero');
    expect(notes).toEqual([]);
    expect(await applied('Later1900000005000')).toBe(false);
  });

  test('cancels the running migration on a signal, rolls it back, and starts no other', async () => {
    const client = await connect();
    const stop = new AbortController();
    const running = run([Slow1900000003000, Later1900000005000], { signal: stop.signal });
    running.catch(() => undefined);
    const sleeping = `select 1 from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'`;
    await until(async () => (await client.query(sleeping)).rowCount === 1);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    const tables = await client.query(`select 1 from pg_tables where tablename like 'trial_%'`);
    expect(tables.rowCount).toBe(0);
    expect([await applied('Slow1900000003000'), await applied('Later1900000005000')]).toEqual([false, false]);
  });
});
