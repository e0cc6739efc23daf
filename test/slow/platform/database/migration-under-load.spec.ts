import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../../support/until.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { MIGRATION_LOCK_TIMEOUT_MS } from '../../../../src/platform/database/migration-locks.js';
import { MigrationBlocked, runMigrations, type MigrationRun } from '../../../../src/platform/database/migration-run.js';
import { ADMIN_KEY, TestGateway, type Key } from '../../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';

/* An ALTER waits for every open reader, and every later statement waits for the ALTER. pg_dump reads for minutes. */

const TABLES = `
  select relname::text as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
   order by relname`;
/**
 * Between the requests of one load. Shorter than an ALTER waits for its locks. Without pauses, the load itself makes statements
 * time out on a busy machine.
 */
const PAUSE_MS = 0.75 * MIGRATION_LOCK_TIMEOUT_MS;
const ADMIN_READS = ['api-keys', 'audit-logs', 'usage', 'key-stats', 'request-logs', 'jobs'];

let database: ScratchDatabase;
let gateway: TestGateway;
let client: Client;

beforeAll(async () => {
  database = await createScratchDatabase();
  gateway = await TestGateway.start({ GW_DATABASE_POOL: '10' }, { databaseUrl: database.url });
  client = new Client({ connectionString: database.url, application_name: 'pg_dump' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await gateway.stop();
  await database.drop();
});

const alter = (table: string, nth: number) => {
  const name = `Alter${nth}190000000${String(1000 + nth)}`;
  return class {
    readonly name = name;
    up = (db: QueryRunner): Promise<unknown> => db.query(`alter table ${table} add column trial_column int`);
    down = async (): Promise<void> => undefined;
  };
};

/** Sends requests of one kind until it is stopped, the last one after `stop`. Counts the statuses. */
class Load {
  readonly counts = new Map<number, number>();
  ended = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(request: () => Promise<{ readonly status: number }>) {
    this.running = this.run(request);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(request: () => Promise<{ readonly status: number }>): Promise<void> {
    for (let last = false; !last;) {
      last = this.stopped;
      const { status } = await request();
      this.ended += 1;
      this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
      if (!last) await pause(PAUSE_MS);
    }
  }
}

function startLoad(key: Key): { readonly chats: Load[]; readonly admin: Load[] } {
  const chats = Array.from({ length: 4 }, () => new Load(() => gateway.chat(key)));
  const reads = ADMIN_READS.map((path) => new Load(() => gateway.call('GET', `/admin/${path}`, { key: ADMIN_KEY })));
  const writes = new Load(() => gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { name: 'renamed' }));
  return { chats, admin: [...reads, writes] };
}

const statusesOf = (loads: readonly Load[]) => [...new Set(loads.flatMap(({ counts }) => [...counts.keys()]))];

test('an ALTER of any table behind a long reader neither fails nor stops a request', async () => {
  const key = await gateway.createKey();
  const tables = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
  await client.query('begin');
  for (const table of tables) await client.query(`lock table ${table} in access share mode`);
  const { chats, admin } = startLoad(key);
  const run = (migrations: MigrationRun['migrations'], waitSeconds: number) =>
    runMigrations({
      url: database.url,
      migrations,
      waitSeconds,
      signal: new AbortController().signal,
      onRetry: () => undefined,
    });
  const migrations = tables.map(alter);
  try {
    for (const migration of migrations) await expect(run([migration], 0.1)).rejects.toThrow(MigrationBlocked);
    // A request that waited for the reader would not end before the commit.
    const loads = [...chats, ...admin];
    const before = loads.map(({ ended }) => ended);
    await until(() => loads.every(({ ended }, at) => ended > before[at]!));
    await client.query('commit');
    await run(migrations, 60);
  } finally {
    await Promise.all([...chats, ...admin].map((load) => load.stop()));
  }
  expect([statusesOf(chats), statusesOf(admin)]).toEqual([[200], [200]]);
  const served = chats.reduce((sum, { counts }) => sum + (counts.get(200) ?? 0), 0);
  const { rows } = await client.query<{ n: number }>('select month_count::int as n from key_quota where key_id = $1', [
    key.id,
  ]);
  expect(rows[0]!.n).toBe(served);
});
