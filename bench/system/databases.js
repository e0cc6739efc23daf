// Separate databases for benchmarks, on a PostgreSQL server or otherwise on the gateway's embedded server.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { fromDist } from './dist.js';
import { OTHER_CORES, pinTree } from './processes.js';

const STANDARD = 'postgres://postgres@127.0.0.1:5432/postgres';

/** Opens the server of TEST_DATABASE_URL or at the standard local port. Without a server there, it starts the embedded one. */
export async function openPostgres() {
  const url = process.env.TEST_DATABASE_URL || STANDARD;
  try {
    const version = await versionOf(url);
    return { kind: `PostgreSQL ${version} (external server)`, ...databasesOn(url), stop: async () => {} };
  } catch {
    return openEmbedded();
  }
}

export async function openEmbedded() {
  const { startEmbeddedPostgres } = await fromDist('src/platform/database/embedded/embedded-postgres.js');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const server = await startEmbeddedPostgres(folder, () => {});
  pinTree(process.pid, OTHER_CORES);
  const version = await versionOf(server.url);
  return {
    kind: `embedded PostgreSQL ${version}`,
    ...databasesOn(server.url),
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function databasesOn(server) {
  return {
    async create() {
      const name = `gateway_bench_${randomBytes(5).toString('hex')}`;
      await ask(server, `create database ${name}`);
      const url = new URL(server);
      url.pathname = `/${name}`;
      return { url: url.href, drop: () => ask(server, `drop database ${name} with (force)`) };
    },
  };
}

const versionOf = async (url) => (await ask(url, 'show server_version')).split(' ')[0];

export async function ask(connectionString, sql, values = []) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
