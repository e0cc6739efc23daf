import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { LoadedGateway, PLENTY_MS } from './loaded-gateway.js';

const MEGABYTE = 1024 * 1024;
const PAGE = 4096;
const DISK = '160m';
const FILLER = 'filler-';

/** Skipped if the test must not mount a disk. */
const describeWithDisk = mayMount() ? describe : describe.skip;

describeWithDisk('full disk of the database', () => {
  let disk: string;
  let loaded: LoadedGateway;

  beforeAll(async () => {
    disk = mountDisk();
    loaded = await LoadedGateway.start(disk);
  });
  beforeEach(() => loaded.begin());
  afterEach(async () => {
    await loaded?.load?.stop();
    await empty(disk);
  });
  afterAll(async () => {
    await loaded?.stop();
    unmount(disk);
  });

  /** Creates ten keys and returns the statuses. */
  const makeKeys = async () => {
    const calls = Array.from({ length: 10 }, () =>
      loaded.gateway.admin('POST', '/admin/api-keys', { name: 'x'.repeat(100) }),
    );
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  async function expectRecovery(): Promise<void> {
    await until(async () => (await makeKeys()).every((status) => status === 201), PLENTY_MS);
    await loaded.untilServed(50);
    await loaded.expectUnaffectedClients();
  }

  test('serves known keys and rejects changes with 503 while the disk is full', async () => {
    await fill(disk);
    const statuses = new Set<number>();
    while ([...statuses].every((status) => status === 201)) for (const status of await makeKeys()) statuses.add(status);
    expect([...statuses].filter((status) => status !== 201)).toEqual([503]);
    await loaded.untilServed(50);
    await empty(disk);
    await expectRecovery();
  });

  test('serves known keys while the database is down because its log is full, and then recovers', async () => {
    await fill(disk);
    const growLog = 'select pg_switch_wal() from pg_logical_emit_message(false, $1, $2)';
    while (await loaded.query(growLog, ['full', 'x']).then(Boolean, () => false));
    await until(async () => (await loaded.ready()).database === 'away');
    await loaded.untilServed(200);
    expect((await makeKeys())[0]).toBe(503);
    await empty(disk);
    await until(async () => (await loaded.ready()).database === 'ready', PLENTY_MS);
    await expectRecovery();
  });
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

/** Fills the disk completely. */
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
