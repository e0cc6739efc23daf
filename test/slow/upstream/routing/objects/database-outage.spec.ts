import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { startDatabaseApp } from '../../../../support/database-app.js';
import { FaultProxy } from '../../../../support/fault-proxy.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../../support/scratch-database.js';
import { connect } from '../../../../support/stats-database.js';
import { until } from '../../../../support/until.js';
import { OwnersProcess, rowsOf } from '../../../../upstream/routing/objects/owned-objects.js';

const PENDING_MAX = 10_000;

let database: ScratchDatabase;
let proxy: FaultProxy;
let app: INestApplicationContext;
/** Connected without the proxy. */
let source: DataSource;
let a: OwnersProcess;
let prefix: string;

beforeEach(async () => {
  database = await createScratchDatabase();
  proxy = await FaultProxy.start(database.url);
  source = await connect(database.url);
  app = await startDatabaseApp(proxy.url);
  a = new OwnersProcess(app.get(DataSource));
  prefix = `${randomUUID()}-`;
});
afterEach(async () => {
  jest.restoreAllMocks();
  proxy.resume();
  await proxy.disconnect().catch(() => undefined);
  await app.close();
  await source.destroy();
  await database.drop();
});

const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe.each([
  ['has stopped', () => proxy.disconnect(), () => proxy.reconnect()],
  ['hangs', () => Promise.resolve(proxy.hang()), () => Promise.resolve(proxy.resume())],
])('while the database %s', (_, fail, recover) => {
  test('recorded objects are known at once, and are written later without a further request', async () => {
    await a.owners.record([`${prefix}before`], 'openai', true);
    await fail();
    await a.owners.record(ids(700), 'openai', true);
    expect(a.owners.ownerOf(ids(1))).toBe('openai');
    expect(a.owners.unwritten).toBe(700);
    await recover();
    await until(async () => (await rowsOf(source, prefix)).length === 701);
    await until(() => a.owners.unwritten === 0);
    expect(a.owners.dropped).toBe(0);
  });

  test('a deletion is written later', async () => {
    await a.owners.record(ids(2), 'openai', true);
    await fail();
    a.owners.forget(`${prefix}0`);
    await a.owners.record([`${prefix}2`], 'openai', true);
    await recover();
    await until(async () => (await rowsOf(source, prefix)).map(({ id }) => id).join() === `${prefix}1,${prefix}2`);
  });

  test('cached objects keep their owner, and other objects have none', async () => {
    await a.owners.record([`${prefix}known`], 'openai', true);
    await fail();
    const owner = Promise.resolve(a.owners.ownerOf([`${prefix}x`]));
    expect(await owner).toBeNull();
    expect(a.owners.failedLookups).toBe(1);
    expect(a.owners.ownerOf([`${prefix}known`])).toBe('openai');
    expect(await a.owners.ownerOf([`${prefix}y`, `${prefix}known`])).toBe('openai');
    await recover();
    await source.query(`insert into upstream_objects values ($1, 'azure', true, now())`, [`${prefix}x`]);
    await until(async () => (await a.owners.ownerOf([`${prefix}x`])) === 'azure');
  });
});

test('lookups and responses stop waiting, even if the driver waits forever', async () => {
  const unbounded = await connect(proxy.url);
  const process = new OwnersProcess(unbounded);
  expect(await process.owners.ownerOf([`${prefix}x`])).toBeNull();
  proxy.hang();
  const waits = [process.owners.ownerOf([`${prefix}y`]), process.owners.record([`${prefix}z`], 'openai', true)];
  for (const wait of waits) await wait;
  proxy.resume();
  await unbounded.destroy();
});

test('a single lost connection does not delay a response', async () => {
  await a.owners.record([`${prefix}before`], 'openai', true);
  await proxy.disconnect();
  await proxy.reconnect();
  await a.owners.record([`${prefix}x`], 'openai', true);
  expect(await rowsOf(source, `${prefix}x`)).toHaveLength(1);
});

test('at most 10,000 unwritten objects are held, and the oldest are dropped and counted', async () => {
  await proxy.disconnect();
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  await Promise.all(ids(PENDING_MAX + 250).map((id) => a.owners.record([id], 'openai', true)));
  expect(a.owners.unwritten).toBe(PENDING_MAX);
  expect(a.owners.dropped).toBe(250);
  expect(warned.mock.calls.filter(([text]) => String(text).startsWith('Owners of stored objects'))).toHaveLength(1);
  await proxy.reconnect();
  await until(async () => (await rowsOf(source, prefix)).length === PENDING_MAX);
  const written = new Set((await rowsOf(source, prefix)).map(({ id }) => id));
  expect(ids(PENDING_MAX + 250).filter((id) => !written.has(id))).toEqual(ids(250));
});

test('shutdown waits for objects that could not be written before', async () => {
  await proxy.disconnect();
  await a.owners.record(ids(3), 'openai', true);
  const stopped = a.owners.onModuleDestroy();
  await proxy.reconnect();
  await stopped;
  expect(await rowsOf(source, prefix)).toHaveLength(3);
});

test('shutdown ends without the database, and logs the number of lost objects', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  await proxy.disconnect();
  await a.owners.record(ids(3), 'openai', true);
  await a.owners.onModuleDestroy();
  expect(logged).toHaveBeenCalledWith('Not written at shutdown: the owners of 3 stored objects');
});
