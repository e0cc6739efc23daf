// The servers that are measured, each a process of its own on core 0; load, upstream and database keep to the others.
import { fork, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';

const SUBJECT_CORE = '0';
const pinned = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** A forked process on a core of its own where the system can do that. */
export function forkOn(cores, program, args, env = process.env) {
  const child = fork(program, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  if (pinned) spawnSync('taskset', ['-a', '-p', '-c', cores, String(child.pid)]);
  return child;
}
export const otherCores = () => (availableParallelism() > 1 ? `1-${availableParallelism() - 1}` : '0');

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export async function startPlain(program, upstreamPort) {
  const port = await freePort();
  const child = forkOn(SUBJECT_CORE, program, [String(port), String(upstreamPort)]);
  await once(child, 'message');
  return { port, pid: child.pid, headers: [], stop: () => end(child) };
}

/** The gateway with everything on, on the PostgreSQL of TEST_DATABASE_URL or the standard port, else the embedded one. */
export async function startGateway(upstreamPort) {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const adminKey = `admin_gw_${randomBytes(24).toString('hex')}`;
  const database = await scratchDatabase();
  const child = forkOn(SUBJECT_CORE, 'dist/src/main.js', [], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    GW_DATA_DIR: dataDir,
    GW_ADMIN_KEY: adminKey,
    GW_UPSTREAM_BASE_URL: `http://127.0.0.1:${upstreamPort}/v1`,
    GW_UPSTREAM_API_KEY: 'bench',
    ...(database === null ? {} : { DATABASE_URL: database.url }),
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  return {
    port,
    pid: child.pid,
    database: database === null ? 'embedded PostgreSQL' : 'PostgreSQL server',
    headers: [`authorization: Bearer ${await createKey(url, adminKey)}`],
    stop: async () => {
      await end(child);
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function createKey(url, adminKey) {
  // All four limits set, as a customer would have them.
  const body = {
    name: 'bench',
    rpm_limit: 2_000_000_000,
    rpd_limit: 2_000_000_000,
    monthly_limit: 2_000_000_000,
    monthly_token_limit: 9_000_000_000_000_000,
  };
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/admin/api-keys`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()).key;
}

async function ready(url, child) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`);
    if (
      await fetch(`${url}/health/ready`).then(
        (r) => r.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the gateway did not become ready');
}

async function scratchDatabase() {
  const server = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
  const name = `gateway_bench_${randomBytes(5).toString('hex')}`;
  const run = async (sql) => {
    const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  try {
    await run(`create database ${name}`);
  } catch {
    return null;
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

async function end(child) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor that a process has used, all its threads together; null where the system does not tell. */
export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}
