// Databases of the benchmark's own: on the PostgreSQL that is there, else on the gateway's embedded one; and a Redis.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { fromDist } from './dist.js';
import { end, freePort, OTHER_CORES, pause, pinTree, spawnOn } from './processes.js';

const STANDARD = 'postgres://postgres@127.0.0.1:5432/postgres';

/** The PostgreSQL of TEST_DATABASE_URL or the standard local port; without one, embedded. */
export async function openPostgres() {
  const url = process.env.TEST_DATABASE_URL || STANDARD;
  try {
    const version = await versionOf(url);
    return { kind: `PostgreSQL ${version} (a server of its own)`, ...databasesOn(url), stop: async () => {} };
  } catch {
    return openEmbedded();
  }
}

/** The same server that the gateway starts where it has no DATABASE_URL, kept off the measured core. */
export async function openEmbedded() {
  const { startEmbeddedPostgres } = await fromDist('src/database/embedded/embedded-postgres.js');
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

/** A Redis of our own, where there is a program for it; else null. */
export async function openRedis() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const server = spawnOn(OTHER_CORES, 'redis-server', args, { stdio: 'ignore' });
  let absent = false;
  server.on('error', () => (absent = true));
  await pause(500);
  if (absent || server.exitCode !== null) return null;
  return { url: `redis://127.0.0.1:${port}`, stop: () => end(server) };
}

function databasesOn(server) {
  return {
    /** An empty database with `url` and `drop`. */
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

/** The first field of the first row. */
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
