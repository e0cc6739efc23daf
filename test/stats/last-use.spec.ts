import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { requestOf, StatsDatabase, StatsProcess } from '../support/stats-database.js';

let database: StatsDatabase;
beforeAll(async () => {
  database = await StatsDatabase.create();
});
afterAll(() => database.close());

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 3, 5, 6, 7, 8, 9);

async function stored(key: KeySnapshot): Promise<number | null> {
  const [row] = await database.source.query<{ last_used_at: Date | null }[]>(
    'select last_used_at from api_keys where id = $1',
    [key.id],
  );
  return row?.last_used_at?.getTime() ?? null;
}

async function use({ recorder, writer }: StatsProcess, key: KeySnapshot, atMs: number): Promise<void> {
  recorder.record(requestOf(key, { atMs }), 200, 1);
  await writer.flush();
}

test('last use is written once per hour, by the first process that records a request', async () => {
  const key = await database.newKey();
  const [one, other] = [new StatsProcess(database.source), new StatsProcess(database.source)];
  await use(one, key, START);
  await use(one, key, START + 59 * MINUTE_MS);
  await use(other, key, START + 59 * MINUTE_MS);
  expect(await stored(key)).toBe(START);
  // The failed attempt of the other process returned the stored time, so it writes again as soon as the hour ends.
  await use(other, key, START + 60 * MINUTE_MS);
  expect(await stored(key)).toBe(START + 60 * MINUTE_MS);
});

test('last use is not written if the key snapshot shows a use within the hour', async () => {
  const process = new StatsProcess(database.source);
  const key = { ...(await database.newKey()), lastUsedAtMs: START };
  await use(process, key, START + MINUTE_MS);
  expect(await stored(key)).toBeNull();
  await use(process, key, START + 60 * MINUTE_MS);
  expect(await stored(key)).toBe(START + 60 * MINUTE_MS);
});

test('a rejected request does not count as a use', async () => {
  const key = await database.newKey();
  const { recorder, writer } = new StatsProcess(database.source);
  recorder.record(requestOf(key, { admitted: false }), 429, 1);
  await writer.flush();
  expect(await stored(key)).toBeNull();
});

test('last use changes neither the version of the key nor its update time', async () => {
  const key = await database.newKey();
  const read = () =>
    database.source.query(
      'select k.updated_at, q.version from api_keys k join key_quota q on q.key_id = k.id where k.id = $1',
      [key.id],
    );
  const before: unknown = await read();
  await use(new StatsProcess(database.source), key, START);
  expect(await stored(key)).toBe(START);
  expect(await read()).toEqual(before);
});

test('a key that is locked by an operator does not block other keys, and is written after the change', async () => {
  const [locked, free] = [await database.newKey(), await database.newKey()];
  const process = new StatsProcess(database.source);
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query('begin');
  await admin.query(`update api_keys set name = 'changed' where id = $1`, [locked.id]);
  process.recorder.record(requestOf(locked, { atMs: START }), 200, 1);
  await use(process, free, START);
  expect([await stored(locked), await stored(free)]).toEqual([null, START]);
  await admin.query('commit');
  await process.writer.flush();
  expect(await stored(locked)).toBe(START);
  await admin.end();
});
