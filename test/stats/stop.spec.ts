import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { connect, requestOf, StatsDatabase, StatsProcess } from '../support/stats-database.js';
import { until } from '../support/until.js';

let database: StatsDatabase;
beforeAll(async () => {
  database = await StatsDatabase.create();
});
afterAll(() => database.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const requests = async (keyId: string): Promise<number> => {
  const [row] = await database.source.query<{ n: string }[]>('select requests n from usage_monthly where key_id = $1', [
    keyId,
  ]);
  return Number(row?.n ?? 0);
};

test('recorded usage is written without a shutdown', async () => {
  const key = await database.newKey();
  const { recorder, writer } = new StatsProcess(database.source, 1);
  writer.onApplicationBootstrap();
  for (let i = 1; i <= 3; i++) {
    recorder.record(requestOf(key), 200, 1);
    await until(async () => (await requests(key.id)) === i);
  }
  await writer.onApplicationShutdown();
});

test('all usage recorded before a shutdown is written by its end', async () => {
  const key = await database.newKey();
  const { recorder, writer } = new StatsProcess(database.source, 1);
  writer.onApplicationBootstrap();
  for (let i = 0; i < 2500; i++) recorder.record(requestOf(key, { model: `model ${i % 1200}` }), 200, 1);
  await writer.onApplicationShutdown();
  expect(await requests(key.id)).toBe(2500);
  expect(await database.source.query('select count(*)::int n from request_logs where key_id = $1', [key.id])).toEqual([
    { n: 2500 },
  ]);
});

test('logs the totals of usage that cannot be written at shutdown', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const key = await database.newKey();
  const source = await connect(database.url);
  await source.destroy();
  const { recorder, writer } = new StatsProcess(source, 1);
  for (let i = 0; i < 1300; i++) recorder.record(requestOf(key, { model: `model ${i}` }), 200, 1);
  await writer.flush();
  await writer.onApplicationShutdown();
  expect(warned).toHaveBeenCalledTimes(1);
  expect(logged.mock.calls).toEqual([
    ['Not written at shutdown: usage of 1300 requests (3900 input tokens, 5200 output tokens), 1300 request rows'],
  ]);
});
