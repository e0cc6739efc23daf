import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { FOUND_AGAIN_MS_MAX, LoadedGateway, PLENTY_MS } from './loaded-gateway.js';

const MEGABYTE = 1024 * 1024;
const PAGE = 4096;
const DISK = '160m';
const FILLER = 'filler-';

/** Skipped, and reported as such, where we may not mount a disk. */
const describeWithDisk = mayMount() ? describe : describe.skip;

describeWithDisk('a database whose disk is full', () => {
  let disk: string;
  let loaded: LoadedGateway;

  beforeAll(async () => {
    disk = mountDisk();
    loaded = await LoadedGateway.start(disk);
  }, 60_000);
  beforeEach(() => loaded.begin());
  afterEach(async () => {
    await loaded?.load?.stop();
    await empty(disk);
  });
  afterAll(async () => {
    await loaded?.stop();
    unmount(disk);
  });

  /** Ten keys. @returns the statuses that came */
  const makeKeys = async () => {
    const calls = Array.from({ length: 10 }, () =>
      loaded.gateway.admin('POST', '/admin/api-keys', { name: 'x'.repeat(100) }),
    );
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  async function recoversAndNobodyNoticed(): Promise<void> {
    await until(async () => (await makeKeys()).every((status) => status === 201), PLENTY_MS);
    await loaded.goesOn(50);
    await loaded.expectNobodyNoticed();
  }

  test('serves known keys, and is 503 to a change that finds no room; with room again all is as ever', async () => {
    await fill(disk);
    const statuses = new Set<number>();
    while ([...statuses].every((status) => status === 201)) for (const one of await makeKeys()) statuses.add(one);
    expect([...statuses].filter((status) => status !== 201)).toEqual([503]);
    await loaded.goesOn(50);
    await empty(disk);
    await recoversAndNobodyNoticed();
  }, 60_000);

  test('and whose log finds no room falls over: known keys go on, and it is found again once there is room', async () => {
    await fill(disk);
    const logGrows = 'select pg_switch_wal() from pg_logical_emit_message(false, $1, $2)';
    while (await loaded.ask(logGrows, ['full', 'x']).then(Boolean, () => false));
    await until(async () => (await loaded.ready()).database === 'away', FOUND_AGAIN_MS_MAX);
    await loaded.goesOn(200);
    expect((await makeKeys())[0]).toBe(503);
    await empty(disk);
    await until(async () => (await loaded.ready()).database === 'ready', PLENTY_MS);
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
