import { newRequestId } from '../../src/platform/request-context/request-id.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import { FIRST_REQUESTS_MAX, REFUSALS_PER_SECOND_MAX, isSampled } from '../../src/stats/request-recorder.service.js';
import { RequestRowQueue, requestRowOf, type RequestRow } from '../../src/stats/pending-records.js';
import { StatsHousekeeping } from '../../src/stats/stats-housekeeping.service.js';
import { RequestRowStore } from '../../src/stats/stores/request-row.store.js';
import { keySnapshot, MovedClock, requestOf, StatsDatabase, StatsProcess } from '../support/stats-database.js';
import { READY_DATABASE } from '../support/ready-database.js';

let database: StatsDatabase;
beforeAll(async () => {
  database = await StatsDatabase.create();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.source.query('truncate request_logs, request_refusals');
});

const ids = async (table: string): Promise<string[]> =>
  (await database.source.query<{ id: string }[]>(`select id from ${table} order by created_at, id`)).map(
    (row) => row.id,
  );
/** A key that was used before. The first requests of other keys are always stored. */
const usedKey = () => ({ ...keySnapshot(newRequestId(0)), lastUsedAtMs: 0 });
const idEndingIn = (digits: string): string => newRequestId(Date.now()).slice(0, -digits.length) + digits;

describe('the request log sample', () => {
  test.each([
    [0, '00000000', false],
    [1, 'ffffffff', true],
    [0.5, '7fffffff', true],
    [0.5, '80000000', false],
    [0.01, '028f5c28', true],
    [0.01, '028f5c2a', false],
  ])('at a rate of %d, isSampled of an ID that ends in %s is %j', (rate, digits, kept) => {
    expect(isSampled(idEndingIn(digits), rate)).toBe(kept);
  });

  test('a rate of 0.01 samples one ID in 100', () => {
    let kept = 0;
    for (let i = 0; i < 200_000; i++) if (isSampled(newRequestId(Date.now()), 0.01)) kept++;
    // Five standard deviations.
    expect(Math.abs(kept - 2000)).toBeLessThan(5 * Math.sqrt(2000));
  });

  test('a rate of 1 keeps every request with a known key, admitted or not, and no other request', async () => {
    const { recorder, writer } = new StatsProcess(database.source, 1);
    const key = keySnapshot(newRequestId(0));
    const served = requestOf(key);
    const refused = requestOf(key, { admitted: false, usage: null, model: null });
    refused.response.errorCode = 'invalid_json';
    refused.response.errorMessage = `No \0 \ud800 sk-gw-${'a'.repeat(16)} ${'x'.repeat(500)}`;
    served.upstream.latencyMs = 12;
    served.stream = true;
    recorder.record(served, 200, 34);
    recorder.record(refused, 400, 1);
    recorder.record(requestOf(null), 401, 1);
    await writer.flush();
    expect(await ids('request_refusals')).toEqual([]);
    const rows = await database.source.query<Record<string, unknown>[]>(
      'select *, (extract(epoch from created_at) * 1000)::bigint ms from request_logs order by status',
    );
    expect(rows).toEqual([
      expect.objectContaining({
        id: served.requestId,
        key_id: key.id,
        status: 200,
        stream: true,
        latency_ms: 34,
        upstream_latency_ms: 12,
        input_tokens: 3,
        output_tokens: 4,
        method: 'POST',
        endpoint: '/v1/chat/completions',
        model: 'gpt-4o',
        error_code: null,
        error_message: null,
      }),
      expect.objectContaining({
        id: refused.requestId,
        status: 400,
        stream: false,
        upstream_latency_ms: null,
        input_tokens: 0,
        output_tokens: 0,
        model: null,
        error_code: 'invalid_json',
        // Characters that PostgreSQL cannot store are replaced, the raw key is redacted, and the first 500 characters are kept.
        error_message: `No \ufffd \ufffd sk-gw-[redacted] ${'x'.repeat(500 - 30)}`,
      }),
    ]);
    expect(Number(rows[0]?.['ms'])).toBe(Number.parseInt(served.requestId.replace('-', '').slice(0, 12), 16));
  });

  test('a row that is written twice is stored once', async () => {
    const store = new RequestRowStore(database.source);
    const row = requestRowOf(requestOf(keySnapshot(newRequestId(0))), {
      keyId: newRequestId(0),
      endpoint: '/v1/models',
      status: 200,
      latencyMs: 1,
    });
    await store.write('request_logs', [row]);
    await store.write('request_logs', [row]);
    expect(await ids('request_logs')).toEqual([row.id]);
  });

  test('concurrent processes create the missing partition of any month', async () => {
    const months = Array.from({ length: 6 }, (_, i) => Date.UTC(2031, i, 1));
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { recorder, writer } = new StatsProcess(database.source, 1);
        for (const ms of months)
          for (const atMs of [ms, ms - 1]) recorder.record(requestOf(keySnapshot(newRequestId(0)), { atMs }), 200, 1);
        await writer.flush();
      }),
    );
    expect(await ids('request_logs')).toHaveLength(48);
  });
});

describe('rejected and failed requests outside the sample', () => {
  test('rejected and failed requests with known keys are stored separately from the sample', async () => {
    const { recorder, writer } = new StatsProcess(database.source, 0);
    const key = usedKey();
    const refused = requestOf(key, { admitted: false });
    const failed = requestOf(key);
    recorder.record(refused, 429, 1);
    recorder.record(failed, 502, 1);
    recorder.record(requestOf(key), 200, 1);
    recorder.record(requestOf(null), 401, 1);
    await writer.flush();
    expect((await ids('request_refusals')).toSorted()).toEqual([refused.requestId, failed.requestId].toSorted());
    expect(await ids('request_logs')).toEqual([]);
  });

  test('the number of stored rejections per second is limited, and the others are counted', () => {
    const { recorder, pending, clock } = new StatsProcess(database.source, 0);
    const key = usedKey();
    const start = Math.ceil(Date.now() / 1000) * 1000;
    clock.now = () => start;
    for (let i = 0; i < REFUSALS_PER_SECOND_MAX + 7; i++) recorder.record(requestOf(key, { admitted: false }), 403, 1);
    expect([pending.refusals.size, recorder.refusalsLeftOut]).toEqual([REFUSALS_PER_SECOND_MAX, 7]);
    clock.now = () => start + 1000;
    recorder.record(requestOf(key, { admitted: false }), 403, 1);
    expect([pending.refusals.size, recorder.refusalsLeftOut]).toEqual([REFUSALS_PER_SECOND_MAX + 1, 7]);
  });

  test('rejections are deleted after seven days', async () => {
    const { recorder, writer, requestStore } = new StatsProcess(database.source, 0);
    const key = usedKey();
    const daysAgo = (days: number) => requestOf(key, { admitted: false, atMs: Date.now() - days * 86_400_000 });
    const young = daysAgo(6.9);
    for (const ctx of [daysAgo(7.1), daysAgo(30), young]) recorder.record(ctx, 403, 1);
    await writer.flush();
    await new StatsHousekeeping(new MovedClock(), requestStore, READY_DATABASE, new SchedulerRegistry()).run();
    expect(await ids('request_refusals')).toEqual([young.requestId]);
  });

  test('rejections are deleted in bounded steps that skip rows locked by another process', async () => {
    await database.source.query(`
      insert into request_refusals (id, created_at, key_id, status, stream, latency_ms, input_tokens, output_tokens, method, endpoint)
      select gen_random_uuid(), now() - interval '8 days', gen_random_uuid(), 403, false, 1, 0, 0, 'GET', '/v1/models' from generate_series(1, 100)`);
    const store = new RequestRowStore(database.source);
    const other = database.source.createQueryRunner();
    await other.startTransaction();
    await other.query('select from request_refusals order by created_at, id limit 30 for update');
    expect(await store.deleteOldRefusals(50)).toBe(50);
    expect(await store.deleteOldRefusals(50)).toBe(20);
    await other.commitTransaction();
    await other.release();
    expect(await store.deleteOldRefusals(50)).toBe(30);
  });
});

test('the first requests of a key without earlier use are stored, even if they succeed', async () => {
  const { recorder, writer } = new StatsProcess(database.source, 0);
  const key = keySnapshot(newRequestId(0));
  const first = Array.from({ length: FIRST_REQUESTS_MAX }, () => requestOf(key));
  for (const ctx of [...first, requestOf(key), requestOf(usedKey())]) recorder.record(ctx, 200, 1);
  await writer.flush();
  expect((await ids('request_refusals')).toSorted()).toEqual(first.map(({ requestId }) => requestId).toSorted());
  expect([await ids('request_logs'), recorder.refusalsLeftOut]).toEqual([[], 0]);
});

describe('StatsHousekeeping', () => {
  test('creates the partitions of the current and the next month, also at the end of a year', async () => {
    const clock = new MovedClock();
    clock.now = () => Date.UTC(2033, 11, 31, 23, 59);
    await new StatsHousekeeping(
      clock,
      new RequestRowStore(database.source),
      READY_DATABASE,
      new SchedulerRegistry(),
    ).run();
    const partitions: { name: string }[] = await database.source.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_logs'::regclass`,
    );
    expect(partitions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['request_logs_2033_12', 'request_logs_2034_01']),
    );
  });
});

describe('RequestRowQueue', () => {
  const row = (id: string) => ({ id }) as RequestRow;
  const take = (queue: RequestRowQueue) =>
    queue
      .take(100)
      .map(({ id }) => id)
      .join('');

  test('a full queue drops and counts the oldest rows', () => {
    const queue = new RequestRowQueue(3);
    for (const id of 'abcdefgh') queue.push(row(id));
    expect([queue.size, queue.dropped, take(queue)]).toEqual([3, 5, 'fgh']);
    expect(queue.size).toBe(0);
  });

  test('rows that are put back are the oldest again, as far as there is room', () => {
    const queue = new RequestRowQueue(4);
    for (const id of 'abc') queue.push(row(id));
    const taken = queue.take(2);
    for (const id of 'de') queue.push(row(id));
    queue.putBack(taken);
    expect([queue.dropped, take(queue)]).toEqual([1, 'bcde']);
  });
});
