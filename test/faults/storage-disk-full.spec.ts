import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OutageLoad } from '../cluster/outage-load.js';
import { OwnPostgres } from '../cluster/own-postgres.js';
import { until } from '../database/until.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { expectEachOnce } from './storage-figures.js';

/** 2 s are promised, on a machine that has something to spare. */
const ANSWER_MS_MAX = 4000;
const FOUND_AGAIN_MS_MAX = 5000;
const PLENTY_MS = 20_000;
const MEGABYTE = 1024 * 1024;
const PAGE = 4096;
const DISK = '160m';
const FILLER = 'filler-';

/** Skipped, and reported as such, where we may not mount a disk. */
const describeWithDisk = mayMount() ? describe : describe.skip;

describeWithDisk('a database whose disk is full', () => {
  let disk: string;
  let postgres: OwnPostgres;
  let gateway: TestGateway;
  let load: OutageLoad;
  let busy: Key;

  beforeAll(async () => {
    disk = mountDisk();
    postgres = await OwnPostgres.start(disk);
    gateway = await TestGateway.start({}, { databaseUrl: postgres.url });
  }, 60_000);
  beforeEach(async () => {
    busy = await gateway.createKey();
    load = new OutageLoad([gateway], busy.key);
    await until(() => load.served > 20, PLENTY_MS);
  });
  afterEach(async () => {
    await load?.stop();
    await empty(disk);
  });
  afterAll(async () => {
    await gateway?.stop();
    await postgres?.drop();
    unmount(disk);
  });

  const ask = <R extends object>(sql: string, parameters?: unknown[]) => postgres.query<R>(sql, parameters);
  const ready = async () => (await gateway.call('GET', '/health/ready')).body;
  /** Ten keys. @returns the statuses that came */
  const makeKeys = async () => {
    const calls = Array.from({ length: 10 }, () => gateway.admin('POST', '/admin/api-keys', { name: 'x'.repeat(100) }));
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  const goesOn = async (requests: number) => {
    const before = load.served;
    await until(() => load.served > before + requests, PLENTY_MS);
  };
  async function recoversAndNobodyNoticed(): Promise<void> {
    await until(async () => (await makeKeys()).every((status) => status === 201), PLENTY_MS);
    await goesOn(50);
    await load.stop();
    expect(load.statuses).toEqual([200]);
    expect(load.longestMs).toBeLessThan(ANSWER_MS_MAX);
    await expectEachOnce(ask, busy.id, load.served);
  }

  test('serves known keys, and is 503 to a change that finds no room; with room again all is as ever', async () => {
    await fill(disk);
    const statuses = new Set<number>();
    while ([...statuses].every((status) => status === 201)) for (const one of await makeKeys()) statuses.add(one);
    expect([...statuses].filter((status) => status !== 201)).toEqual([503]);
    await goesOn(50);
    await empty(disk);
    await recoversAndNobodyNoticed();
  }, 60_000);

  test('and whose log finds no room falls over: known keys go on, and it is found again once there is room', async () => {
    await fill(disk);
    const logGrows = 'select pg_switch_wal() from pg_logical_emit_message(false, $1, $2)';
    while (await ask(logGrows, ['full', 'x']).then(Boolean, () => false));
    await until(async () => (await ready()).database === 'away', FOUND_AGAIN_MS_MAX);
    await goesOn(200);
    expect((await makeKeys())[0]).toBe(503);
    await empty(disk);
    await until(async () => (await ready()).database === 'ready', PLENTY_MS);
    await recoversAndNobodyNoticed();
  }, 60_000);
});

function mountDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
  rmdirSync(folder);
}

function mayMount(): boolean {
  try {
    unmount(mountDisk());
    return true;
  } catch {
    return false;
  }
}

/** Until there is not a byte left. */
async function fill(disk: string): Promise<void> {
  for (const bytes of [MEGABYTE, PAGE]) {
    const block = Buffer.alloc(bytes);
    const more = (at: number) => writeFile(join(disk, `${FILLER}${bytes}-${at}`), block).then(() => true, isFull);
    for (let at = 0; await more(at); at++);
  }
}

function isFull(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOSPC') throw error;
  return false;
}

async function empty(disk: string): Promise<void> {
  const fillers = (await readdir(disk)).filter((name) => name.startsWith(FILLER));
  await Promise.all(fillers.map((name) => rm(join(disk, name))));
}
