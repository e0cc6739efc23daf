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
const ATTEMPTS_MS_MAX = 30_000;
/** How long a postmaster.pid may forbid the start while nobody answers at its port. */
const STALE_AFTER_MS = 3000;
/** A server this young is waited for: whoever started it is about to own it. */
const YOUNG = `now() - pg_postmaster_start_time() < interval '2 seconds'`;

export interface EmbeddedPostgres {
  readonly url: string;
  /** Fast shutdown; resolves when the server has ended. */
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL for a start without DATABASE_URL, on 127.0.0.1 and a free port; only its password opens it. It ends
 * with this process where the kernel can see to that; else the next start takes over the one that was left behind.
 * @param dataDir GW_DATA_DIR: the database is kept in its `postgres/`
 * @param log gets what the server says after its start, a line at a time
 * @param settings of PostgreSQL, beside or instead of ours
 * @throws EmbeddedPostgresError also where another gateway uses the folder
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
  const begun = Date.now();
  let lastWords = '';
  while (Date.now() - begun < ATTEMPTS_MS_MAX) {
    const running = await readRunningFile(plan.cluster);
    const answer = running ? await contact(plan.cluster, running.port) : null;
    if (running && answer?.kind === 'connected') {
      const server = await takeOver(plan, running.port, answer.client);
      if (server) return server;
    } else if (answer?.kind !== 'busy') {
      const launched = await launch(plan);
      if (launched instanceof EmbeddedServer) return launched;
      lastWords = launched;
      await clearTheWay(plan, lastWords, Date.now() - begun);
    }
    await pause(ATTEMPT_PAUSE_MS);
  }
  throw new EmbeddedPostgresError(reasonOf(lastWords) ?? 'a server runs in its folder and does not answer');
}

/** @returns null for a server that is to be looked at again */
async function takeOver(plan: ServerPlan, port: number, client: Client): Promise<EmbeddedServer | null> {
  const { rows } = await client.query<{ young: boolean }>(`select ${YOUNG} as young`);
  if (rows[0]?.young === true) {
    await client.end();
    return null;
  }
  const server = new EmbeddedServer(plan, port, null);
  if (await server.own(client)) return server;
  throw inUse(plan);
}

/** @returns what the server said where it did not start */
async function launch(plan: ServerPlan): Promise<EmbeddedServer | string> {
  const port = await freePort();
  const child = new ServerProcess(plan, port);
  if (!(await child.whenReady())) return child.lastWords;
  const answer = await contact(plan.cluster, port);
  if (answer.kind !== 'connected') return child.stop().then(() => child.lastWords);
  const server = new EmbeddedServer(plan, port, child);
  if (await server.own(answer.client)) return server;
  throw inUse(plan);
}

/** Passes over what goes away by itself, takes a stale postmaster.pid out of the way, and throws for the rest. */
async function clearTheWay(plan: ServerPlan, lastWords: string, waitedMs: number): Promise<void> {
  const portTaken = /could not bind .*address/i.test(lastWords);
  const stillDying = lastWords.includes('pre-existing shared memory block');
  if (portTaken || stillDying) return;
  if (!/lock file "?postmaster\.pid"? already exists/.test(lastWords)) {
    throw new EmbeddedPostgresError(reasonOf(lastWords) ?? 'its server ended without a word', { cause: lastWords });
  }
  // Its number belongs to somebody else by now (a container's second start). Were a server alive all the same, the
  // shared memory that it holds would still keep a second one out.
  if (waitedMs > STALE_AFTER_MS) await rm(join(plan.cluster.folder, 'postmaster.pid'), { force: true });
}

function reasonOf(lastWords: string): string | undefined {
  return lastWords.split('\n').findLast((line) => /^(FATAL|PANIC):/.test(line));
}

function inUse({ cluster }: ServerPlan): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`another gateway that runs now keeps its data in ${cluster.folder}`);
}
