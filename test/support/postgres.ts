import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';

export interface TestPostgres {
  /** The user of this URL can create databases. */
  readonly url: string;
  readonly runId: string;
  stop(): Promise<void>;
}

/** No data outlives the test run, so nothing has to be flushed to disk. */
const NO_DURABILITY = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '128MB',
  max_connections: '300',
  // Compiling statements, and cleaning tables of databases that live for seconds, costs more than it saves.
  jit: 'off',
  autovacuum: 'off',
};

/** @param url an existing server (TEST_DATABASE_URL); without it, a server is started in a temporary folder */
export async function startTestPostgres(url: string | undefined): Promise<TestPostgres> {
  const runId = randomBytes(5).toString('hex');
  if (url !== undefined && url !== '') return { url, runId, stop: () => dropDatabasesOf(url, runId) };
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  // A test run opens about 3000 connections. Password authentication would double the CPU time of each one.
  const rules = join(folder, 'trust.conf');
  await writeFile(rules, 'host all all 127.0.0.1/32 trust\n');
  const server = await startEmbeddedPostgres(folder, reportCrash, { ...NO_DURABILITY, hba_file: rules });
  return {
    url: server.url,
    runId,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Reports only crashes of the server, because each connection that a spec breaks also logs a line. */
function reportCrash(line: string): void {
  if (/^PANIC|terminated by signal/.test(line)) process.stderr.write(`PostgreSQL: ${line}\n`);
}

/** Drops all databases of the run from an existing server, including those that failed specs left behind. */
async function dropDatabasesOf(url: string, runId: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    `gw_test_${runId}_%`,
  ]);
  for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`);
  await client.end();
}
