import { realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { findBinaries } from './binaries.js';
import { ensureCluster, prepareDataDir } from './cluster-files.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { EmbeddedServer } from './embedded-server.js';
import { findRunAs } from './run-as.js';
import { contact, freePort, readRunningFile } from './server-address.js';
import { type ServerPlan, ServerProcess } from './server-process.js';

const ATTEMPT_PAUSE_MS = 100;
const ATTEMPTS_TIMEOUT_MS = 30_000;
/** A postmaster.pid is stale if nothing responds on its port for this long. */
const STALE_AFTER_MS = 3000;
/** Such a server is not taken over yet, because the process that started it is about to own it. */
const STARTED_RECENTLY = `now() - pg_postmaster_start_time() < interval '2 seconds'`;

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL server for a gateway without DATABASE_URL. It listens on 127.0.0.1 and a free port, and requires a
 * password. If the kernel supports it, the server ends with this process. Otherwise the next gateway that starts takes over the server.
 * @param dataDir GW_DATA_DIR; the data is in its `postgres/` folder
 * @param log receives the lines that the server logs after startup
 * @param settings PostgreSQL settings that extend or replace the defaults
 * @throws EmbeddedPostgresError, for example if another gateway uses the folder
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: (line: string) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  try {
    await prepareDataDir(resolve(dataDir));
    const folder = await realpath(dataDir);
    const binaries = await findBinaries();
    const runAs = await findRunAs(folder, binaries.postgres);
    const cluster = await ensureCluster(folder, binaries, runAs);
    const server = await takeOverOrLaunch({ cluster, binaries, runAs, settings, log });
    return { url: server.url, stop: () => server.stop() };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function takeOverOrLaunch(plan: ServerPlan): Promise<EmbeddedServer> {
  const startedAtMs = Date.now();
  let lastWords = '';
  while (Date.now() - startedAtMs < ATTEMPTS_TIMEOUT_MS) {
    const running = await readRunningFile(plan.cluster);
    const contacted = running ? await contact(plan.cluster, running.port) : null;
    if (running && contacted?.kind === 'connected') {
      const server = await takeOver(plan, running.port, contacted.client);
      if (server) return server;
    } else if (contacted?.kind !== 'busy') {
      const launched = await launch(plan);
      if (launched instanceof EmbeddedServer) return launched;
      lastWords = launched;
      await handleLaunchFailure(plan, lastWords, Date.now() - startedAtMs);
    }
    await pause(ATTEMPT_PAUSE_MS);
  }
  throw new EmbeddedPostgresError(reasonOf(lastWords) ?? 'a server is running in its folder but does not respond');
}

async function takeOver(plan: ServerPlan, port: number, client: Client): Promise<EmbeddedServer | null> {
  const { rows } = await client.query<{ young: boolean }>(`select ${STARTED_RECENTLY} as young`);
  if (rows[0]?.young === true) {
    await client.end();
    return null;
  }
  const server = new EmbeddedServer(plan, port, null);
  if (await server.own(client)) return server;
  throw inUse(plan);
}

async function launch(plan: ServerPlan): Promise<EmbeddedServer | string> {
  const port = await freePort();
  const child = new ServerProcess(plan, port);
  if (!(await child.whenReady())) return child.lastWords;
  const contacted = await contact(plan.cluster, port);
  if (contacted.kind !== 'connected') return child.stop().then(() => child.lastWords);
  const server = new EmbeddedServer(plan, port, child);
  if (await server.own(contacted.client)) return server;
  throw inUse(plan);
}

/** Ignores temporary failures, removes a stale postmaster.pid, and throws for all other failures. */
async function handleLaunchFailure(plan: ServerPlan, lastWords: string, waitedMs: number): Promise<void> {
  const portTaken = /could not bind .*address/i.test(lastWords);
  const stillStopping = lastWords.includes('pre-existing shared memory block');
  if (portTaken || stillStopping) return;
  if (!/lock file "?postmaster\.pid"? already exists/.test(lastWords)) {
    throw new EmbeddedPostgresError(reasonOf(lastWords) ?? 'the server exited without an error message', {
      cause: lastWords,
    });
  }
  // The process ID now belongs to another process, as after a container restart. If a server is alive after all, its shared
  // memory still prevents a second one.
  if (waitedMs > STALE_AFTER_MS) await rm(join(plan.cluster.folder, 'postmaster.pid'), { force: true });
}

function reasonOf(lastWords: string): string | undefined {
  return lastWords.split('\n').findLast((line) => /^(FATAL|PANIC):/.test(line));
}

function inUse({ cluster }: ServerPlan): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`another running gateway keeps its data in ${cluster.folder}`);
}
