import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';

/** The one PostgreSQL of a test run. */
export interface TestPostgres {
  /** Of a user who may create databases. */
  readonly url: string;
  /** In the name of every database of this run. */
  readonly runId: string;
  stop(): Promise<void>;
}

/** Nothing of a test run outlives it, so nothing has to reach the disk. */
const FORGETFUL = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '128MB',
  max_connections: '300',
};

/** @param url of a server to use (TEST_DATABASE_URL); without it one is started in a temporary folder */
export async function startTestPostgres(url: string | undefined): Promise<TestPostgres> {
  const runId = randomBytes(5).toString('hex');
  if (url !== undefined && url !== '') return { url, runId, stop: () => dropDatabasesOf(url, runId) };
  const folder = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  // A password costs each of three thousand connections as much processor time as all else that opening one takes.
  const rules = join(folder, 'trust.conf');
  await writeFile(rules, 'host all all 127.0.0.1/32 trust\n');
  const server = await startEmbeddedPostgres(folder, reportCrash, { ...FORGETFUL, hba_file: rules });
  return {
    url: server.url,
    runId,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Connections that specs cut are a line each; that the server itself fell over has to be seen. */
function reportCrash(line: string): void {
  if (/^PANIC|terminated by signal/.test(line)) process.stderr.write(`PostgreSQL: ${line}\n`);
}

/** A server that stays gets back what the run made, also what a failed spec left behind. */
async function dropDatabasesOf(url: string, runId: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    `gw_test_${runId}_%`,
  ]);
  for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`);
  await client.end();
}
