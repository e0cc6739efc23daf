import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { connect } from '../../../support/stats-database.js';
import { until } from '../../../support/until.js';
import { OwnersProcess, rowsOf } from './owned-objects.js';

let database: ScratchDatabase;
let sources: [DataSource, DataSource];
let a: OwnersProcess;
let b: OwnersProcess;
/** Begins the IDs of a test. */
let prefix: string;

beforeAll(async () => {
  database = await createScratchDatabase();
  sources = [await connect(database.url), await connect(database.url)];
});
beforeEach(() => {
  [a, b] = [new OwnersProcess(sources[0]), new OwnersProcess(sources[1])];
  prefix = `${randomUUID()}-`;
});
afterAll(async () => {
  for (const source of sources) await source.destroy();
  await database.drop();
});

const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

const lookUp = async ({ owners }: OwnersProcess, named: readonly string[]) => owners.ownerOf(named);

describe('recorded objects', () => {
  test('recorded objects are found by every process as soon as they are recorded', async () => {
    for (const id of ids(20)) {
      await a.owners.record([id], 'openai', true);
      await expect(b.owners.ownerOf([id])).resolves.toBe('openai');
    }
  });

  test('recorded objects are found by a process that starts later, without the one that recorded them', async () => {
    await a.owners.record(ids(3), 'azure', false);
    const started = new OwnersProcess(sources[1]);
    for (const id of ids(3)) expect(await started.owners.ownerOf([id])).toBe('azure');
  });

  test('recorded objects are found in their own process before the commit, without a promise', async () => {
    const recorded = a.owners.record([`${prefix}x`], 'openai', true);
    expect(a.owners.ownerOf([`${prefix}x`])).toBe('openai');
    await recorded;
    expect(a.store.reads).toEqual([]);
  });

  test('recorded objects are written once, even if several responses name them', async () => {
    for (let i = 0; i < 3; i++) await a.owners.record(ids(2), 'openai', true);
    expect(a.store.writes).toEqual([ids(2)]);
    expect(a.owners.unrecorded(ids(3), 'openai')).toEqual([`${prefix}2`]);
    expect(a.owners.unrecorded(ids(2), 'azure')).toEqual(ids(2));
  });

  test('objects of concurrent responses share an insert of at most 500 rows', async () => {
    await Promise.all(ids(1200).map((id) => a.owners.record([id], 'openai', true)));
    expect(a.store.writes.map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(await rowsOf(sources[1], prefix)).toHaveLength(1200);
  });

  test('recorded objects are committed when an earlier write of another response is in progress', async () => {
    for (let i = 0; i < 50; i++) {
      void a.owners.record([`${prefix}before-${i}`], 'openai', true);
      await new Promise(setImmediate);
      await a.owners.record([`${prefix}x-${i}`], 'openai', true);
      expect(await b.store.read([`${prefix}x-${i}`])).toHaveProperty('size', 1);
    }
  });
});

describe('the owner of an object', () => {
  test('the owner stays the same if another upstream returns the same ID', async () => {
    const [id = ''] = ids(1);
    await a.owners.record([id], 'openai', true);
    await b.owners.record([id], 'azure', true);
    expect(b.owners.ownerOf([id])).toBe('openai');
    await a.owners.record([id], 'azure', true);
    expect(a.owners.ownerOf([id])).toBe('openai');
    expect(await rowsOf(sources[0], prefix)).toMatchObject([{ upstream: 'openai' }]);
  });

  test('the owner is that of the first known ID', async () => {
    const [first = '', second = '', third = ''] = ids(3);
    await a.owners.record([second], 'second', true);
    await a.owners.record([third], 'third', true);
    expect(await b.owners.ownerOf([first, second, third])).toBe('second');
    expect(await b.owners.ownerOf([third, second])).toBe('third');
    expect(b.store.reads).toEqual([[first, second, third]]);
  });

  test('the owner is looked up although a weaker ID is cached', async () => {
    const [strong = '', weak = ''] = ids(2);
    await b.owners.record([weak], 'weak', true);
    await a.owners.record([strong], 'strong', true);
    expect(await b.owners.ownerOf([strong, weak])).toBe('strong');
  });

  test('the owner is null for no IDs, without a query', () => {
    expect(a.owners.ownerOf([])).toBeNull();
    expect(a.store.reads).toEqual([]);
  });

  test('the owner is read once by concurrent requests', async () => {
    await b.owners.record(ids(64), 'openai', true);
    const found = await Promise.all(Array.from({ length: 100 }, () => lookUp(a, ids(64))));
    expect(new Set(found)).toEqual(new Set(['openai']));
    expect(a.store.reads).toEqual([ids(64)]);
    expect(a.owners.ownerOf(ids(64).reverse())).toBe('openai');
  });

  test('the owner is remembered as unknown only for a while', async () => {
    const [id = ''] = ids(1);
    expect(await a.owners.ownerOf([id])).toBeNull();
    expect(a.owners.ownerOf([id])).toBeNull();
    await b.owners.record([id], 'openai', true);
    await until(async () => (await a.owners.ownerOf([id])) === 'openai');
  });

  test('the owner is found immediately by the process that had cached it as unknown', async () => {
    const [id = ''] = ids(1);
    expect(await a.owners.ownerOf([id])).toBeNull();
    await a.owners.record([id], 'openai', true);
    expect(a.owners.ownerOf([id])).toBe('openai');
  });

  test('the owner is forgotten in all later lookups', async () => {
    await a.owners.record(ids(2), 'openai', false);
    a.owners.forget(`${prefix}0`);
    await until(() => a.owners.unwritten === 0);
    expect(await a.owners.ownerOf([`${prefix}0`])).toBeNull();
    expect(await b.owners.ownerOf([`${prefix}0`])).toBeNull();
    expect(await rowsOf(sources[0], prefix)).toMatchObject([{ id: `${prefix}1` }]);
  });
});

test('invented IDs do not evict known ones from the cache', async () => {
  await a.owners.record([`${prefix}known`], 'openai', true);
  const invented = ids(60_000);
  for (let from = 0; from < invented.length; from += 6000)
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => lookUp(a, invented.slice(from + 60 * i, from + 60 * (i + 1)))),
    );
  expect(a.store.reads.flat()).toHaveLength(invented.length);
  expect(a.owners.ownerOf([`${prefix}known`])).toBe('openai');
});

describe('the last use of an object', () => {
  test.each([
    { days: 2, expires: true, refreshed: true },
    { days: 2, expires: false, refreshed: false },
    { days: 0.5, expires: true, refreshed: false },
  ])(
    'a last use $days days ago with expires $expires is refreshed: $refreshed',
    async ({ days, expires, refreshed }) => {
      await sources[0].query(
        `insert into upstream_objects values ($1, 'openai', $2, now() - make_interval(hours => $3))`,
        [`${prefix}x`, expires, days * 24],
      );
      for (let i = 0; i < 3; i++) expect(await a.owners.ownerOf([`${prefix}x`])).toBe('openai');
      await until(() => a.owners.unwritten === 0);
      expect(await rowsOf(sources[0], prefix)).toMatchObject([{ unused_hours: refreshed ? 0 : days * 24, expires }]);
      expect(a.store.writes).toHaveLength(refreshed ? 1 : 0);
    },
  );

  test('the last use is written at most hourly when an object is recorded again', async () => {
    for (const [id, minutes] of [
      ['recent', 50],
      ['old', 70],
    ] as const)
      await sources[0].query(
        `insert into upstream_objects values ($1, 'openai', true, now() - make_interval(mins => $2))`,
        [`${prefix}${id}`, minutes],
      );
    await a.owners.record([`${prefix}recent`, `${prefix}old`], 'openai', true);
    expect(await rowsOf(sources[0], prefix)).toMatchObject([{ unused_hours: 0 }, { unused_hours: 1 }]);
  });
});
