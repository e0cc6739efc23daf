import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/all.js';
import type { LimitClaim } from '../../../src/quota/limit-claims.js';
import type { LimitLine } from '../../../src/quota/ledger/unreconciled-changes.js';
import { addLimit, claimsOf, wrongHolds } from '../../support/limit-rows.js';
import { OwnPostgres } from '../../support/own-postgres.js';
import { FROM_SOURCE, programEnv } from '../../support/programs.js';
import { until } from '../../support/until.js';

const WORKERS = 3;
const ROUNDS = 10;
const TOKENS = 1_000_000_000;

type Logged =
  | { readonly kind: 'writer'; readonly id: string }
  | { readonly kind: 'started' | 'rolled back' }
  | { readonly kind: 'batch'; readonly number: number; readonly requests: readonly (readonly LimitClaim[])[] }
  | { readonly kind: 'confirmed'; readonly lines: readonly LimitLine[] }
  | { readonly kind: 'settlement'; readonly number: number; readonly lines: readonly LimitLine[] }
  | { readonly kind: 'settled'; readonly skipped: readonly number[] }
  | { readonly kind: 'takeover'; readonly stored: number; readonly refused: readonly number[] | null }
  | { readonly kind: 'end'; readonly requests: number; readonly spent: number };

interface Figures {
  readonly used: number;
  readonly held: number;
}

let server: OwnPostgres;
let folder: string;
let limits: { tokens: number; requests: number };
let workerArguments: string[];
const workers: Worker[] = [];

class Worker {
  private readonly path = join(folder, `${workers.length}.jsonl`);
  private readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  wasKilled = false;

  constructor() {
    const program = new URL('limit-worker.ts', import.meta.url).pathname;
    const [url, ...others] = workerArguments;
    this.child = spawn(process.execPath, [...FROM_SOURCE, program, url!, this.path, ...others], {
      env: programEnv(),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.ended = once(this.child, 'exit');
  }

  get log(): readonly Logged[] {
    const text = readFileSync(this.path, { encoding: 'utf8', flag: 'a+' });
    const lines = text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Logged);
  }

  async whenStarted(): Promise<void> {
    await until(() => this.log.some(({ kind }) => kind === 'started'));
  }

  async kill(): Promise<void> {
    this.wasKilled = true;
    this.child.kill('SIGKILL');
    await this.ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

beforeAll(async () => {
  server = await OwnPostgres.start();
  folder = mkdtempSync(join(tmpdir(), 'gateway-limits-'));
  const source = await new DataSource({ type: 'postgres', url: server.url, migrations: MIGRATIONS }).initialize();
  await source.runMigrations();
  await source.destroy();
  const client = await server.connect();
  const { rows } = await client.query<{ id: string; version: string }>(
    `insert into api_keys (name, key_hash, key_hint, rpm_limit, rpd_limit) values ('a key', '\\x01', 'sk', 1000000, 100000000)
     returning id, (select version from limit_set) as version`,
  );
  limits = {
    tokens: await addLimit(client, { period: 'total', amount: TOKENS }),
    requests: await addLimit(client, { period: 'total', measure: 'requests', amount: TOKENS }),
  };
  const claims = await claimsOf(client, [limits.tokens, 1], [limits.requests, 1]);
  const versions = await client.query<{ version: string }>('select version from key_quota');
  const key = {
    id: rows[0]!.id,
    name: 'a key',
    status: 'active',
    rpmLimit: 1e6,
    rpdLimit: 1e8,
    monthlyLimit: null,
    monthlyTokenLimit: null,
    tokenCounting: 'specification',
    allowedModels: null,
    expiresAtMs: null,
    lastUsedAtMs: null,
    teamId: null,
    tags: [],
    version: Number(versions.rows[0]!.version),
  };
  await client.end();
  workerArguments = [server.url, JSON.stringify(key), JSON.stringify(claims)];
});

afterAll(async () => {
  for (const worker of workers) worker.signal('SIGKILL');
  await server.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<Worker> {
  const worker = new Worker();
  workers.push(worker);
  await worker.whenStarted();
  return worker;
}

const refusedOf = (refused: readonly number[] | null): ReadonlySet<number> => new Set(refused);

/** The changes of a stored batch whose answer was lost. */
function linesOf(requests: readonly (readonly LimitClaim[])[], refused: readonly number[] | null): LimitLine[] {
  const isRefused = refusedOf(refused);
  return requests
    .filter((_, i) => !isRefused.has(i + 1))
    .flat()
    .map(({ limitId, asked, holds, overdraft }) => ({
      limitId,
      period: 0,
      freed: holds ? -asked : 0,
      spent: holds ? 0 : asked,
      overdraft: 0 - overdraft,
    }));
}

interface Entry {
  readonly number: number;
  readonly lines: readonly LimitLine[];
  readonly requests: readonly (readonly LimitClaim[])[] | null;
}

/** A settlement skips limits whose rows other processes lock. A later one contains their lines again. */
const without = (lines: readonly LimitLine[], skipped: readonly number[] | null): LimitLine[] =>
  lines.filter(({ limitId }) => !(skipped ?? []).includes(limitId));

/** The entries of a writer that are stored, given the number that its row shows at the end. */
function storedLines(log: readonly Logged[], row: { stored: number; refused: readonly number[] | null }): LimitLine[] {
  let entries: Entry[] = [];
  let pending: Entry | null = null;
  const conclude = (stored: number, refused: readonly number[] | null): void => {
    if (pending !== null && pending.number === stored) {
      const { requests, lines } = pending;
      entries.push({ ...pending, lines: requests === null ? without(lines, refused) : linesOf(requests, refused) });
    }
    pending = null;
    entries = entries.filter(({ number }) => number <= stored);
  };
  for (const line of log) {
    if (line.kind === 'takeover') conclude(line.stored, line.refused);
    else if (line.kind === 'rolled back') pending = null;
    else if (line.kind === 'confirmed') {
      entries.push({ ...pending!, lines: line.lines });
      pending = null;
    } else if (line.kind === 'settled') {
      entries.push({ ...pending!, lines: without(pending!.lines, line.skipped) });
      pending = null;
    } else if (line.kind === 'batch' || line.kind === 'settlement') {
      pending =
        line.kind === 'batch'
          ? { number: line.number, lines: [], requests: line.requests }
          : { number: line.number, lines: line.lines, requests: null };
    }
  }
  conclude(row.stored, row.refused);
  return entries.flatMap(({ lines }) => lines);
}

const sumOf = (lines: readonly LimitLine[], limitId: number): Figures => {
  const own = lines.filter((line) => line.limitId === limitId);
  return {
    used: own.reduce((sum, { spent }) => sum + spent, 0),
    held: own.reduce((sum, { freed }) => sum - freed, 0),
  };
};

describe('limits while the database crashes and processes are killed', () => {
  test('the stored figures equal what the processes have stored and not lost, to the unit', async () => {
    for (let i = 0; i < WORKERS; i++) await start();
    for (let round = 0; round < ROUNDS; round++) {
      const alive = workers.filter(({ wasKilled }) => !wasKilled);
      const one = alive[round % alive.length]!;
      await pause(200 + Math.random() * 400);
      // A kill directly before a crash loses what the process has stored last. A kill after it loses what it has to store again.
      if (round % 3 === 0) await one.kill();
      if (round % 2 === 0) {
        await server.crash();
        if (round % 4 === 0) await workers.find(({ wasKilled }) => !wasKilled)!.kill();
        await server.startAgain();
      }
      if (round % 5 === 1) {
        one.signal('SIGSTOP');
        await pause(300);
        one.signal('SIGCONT');
      }
      while (workers.filter(({ wasKilled }) => !wasKilled).length < WORKERS) await start();
    }
    const survivors = workers.filter(({ wasKilled }) => !wasKilled);
    await pause(1500);
    for (const worker of survivors) worker.signal('SIGTERM');
    await Promise.all(survivors.map(({ ended }) => ended));

    const client = await server.connect();
    const rows = await client.query<{ writer_id: string; stored: string; refused: number[] | null }>(
      'select writer_id, batch & 1099511627775 as stored, refused from quota_writer',
    );
    const rowOf = new Map(rows.rows.map((row) => [row.writer_id, { ...row, stored: Number(row.stored) }]));
    const lines = workers.flatMap(({ log }) => {
      const writer = log.find(({ kind }) => kind === 'writer') as { id: string };
      return storedLines(log, rowOf.get(writer.id) ?? { stored: 0, refused: null });
    });
    const counters = await client.query<{ limit_id: string; used: string; held: string }>(
      'select limit_id, used, held from limit_counters',
    );
    const stored = Object.fromEntries(
      counters.rows.map(({ limit_id, used, held }) => [limit_id, Number(used) + Number(held)]),
    );
    const total = ({ used, held }: Figures) => used + held;
    expect(stored).toEqual({
      [limits.tokens]: total(sumOf(lines, limits.tokens)),
      [limits.requests]: total(sumOf(lines, limits.requests)),
    });
    expect(await wrongHolds(client)).toEqual([]);
    for (const { log } of survivors) {
      const end = log.find(({ kind }) => kind === 'end') as Extract<Logged, { kind: 'end' }>;
      const writer = log.find(({ kind }) => kind === 'writer') as { id: string };
      const own = storedLines(log, rowOf.get(writer.id)!);
      expect({ tokens: sumOf(own, limits.tokens), requests: sumOf(own, limits.requests).used }).toEqual({
        tokens: { used: end.spent, held: 0 },
        requests: end.requests,
      });
    }
    expect(sumOf(lines, limits.requests).used).toBeGreaterThan(500);
    await client.end();
  });
});
