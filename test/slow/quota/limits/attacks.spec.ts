import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { untilPasses } from '../../../support/poll.js';
import { startGateway } from '../../../support/ready-gateway.js';

const CHAT = '/v1/chat/completions';
const USAGE = { prompt_tokens: 9, completion_tokens: 3 };

interface Counter {
  readonly used: number;
  readonly held: number;
}

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
});

async function addLimit(fields: object): Promise<number> {
  const body = { scope: 'key', key_id: key.id, period: 'month', ...fields };
  const response = await gateway.admin<{ id: number }>('POST', '/admin/limits', body);
  expect([response.status, response.text]).toEqual([201, response.text]);
  return response.body.id;
}

const change = (id: number, fields: object) => gateway.admin('PATCH', `/admin/limits/${id}`, fields);
const query = <T>(text: string, values: unknown[]) => gateway.app.get(DataSource).query<T[]>(text, values);
const counter = async (id: number): Promise<Counter> =>
  (await query<Counter>('select used::float, held::float from limit_counters where limit_id = $1', [id]))[0]!;
const settled = (id: number) => untilPasses(async () => expect((await counter(id)).held).toBe(0));

/** Sends a request that waits at the provider until `finish`. */
async function begin(path: string, body: object) {
  let finish = () => {};
  const begun = gateway.upstream.requests.length;
  gateway.upstream.on(
    'POST',
    path,
    () => new Promise((resolve) => (finish = () => resolve({ body: { id: 'one', choices: [], usage: USAGE } }))),
  );
  const response = gateway.call('POST', path, { key, body });
  await Promise.race([gateway.upstream.received(begun), response]);
  return {
    finish: async () => {
      finish();
      await response;
    },
  };
}

describe('limits that change while requests run', () => {
  test('a changed start leaves no place occupied after running requests end', async () => {
    const id = await addLimit({ measure: 'concurrent_requests', period: null, amount: 2 });
    const { finish } = await begin(CHAT, { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] });
    await change(id, { starts_at: new Date(Date.now() - 60_000).toISOString() });
    await finish();
    await settled(id);
  });

  test('a limit that is enabled counts running requests when they end', async () => {
    const id = await addLimit({ measure: 'tokens', amount: 1_000_000, enabled: false });
    const { finish } = await begin(CHAT, { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] });
    await change(id, { enabled: true });
    await finish();
    await untilPasses(async () => expect((await counter(id)).used).toBe(12));
  });
});

describe('a changed start', () => {
  test('a changed start keeps the usage since then', async () => {
    const id = await addLimit({ measure: 'requests', amount: 3 });
    for (let i = 0; i < 3; i++) await gateway.chat(key);
    const stored = 'select sum(requests)::int as n from usage_daily where key_id = $1';
    await untilPasses(async () => expect(await query(stored, [key.id])).toEqual([{ n: 3 }]));
    await change(id, { starts_at: new Date(Date.now() - 3_600_000).toISOString() });
    expect((await counter(id)).used).toBe(3);
  });

  test('a removed start does not merge the current period with the next one', async () => {
    const [row] = await query<{ at: Date; due: Date }>(
      `select due + interval '14 days' as at, due from (select date_trunc('month', now()) + interval '1 month' as due) t`,
      [],
    );
    const id = await addLimit({ measure: 'requests', amount: 3, starts_at: row!.at.toISOString() });
    await change(id, { starts_at: null });
    await gateway.chat(key);
    const until = 'select to_timestamp(until / 1e6) as due from limit_counters where limit_id = $1';
    expect(await query(until, [id])).toEqual([{ due: row!.due }]);
  });
});

describe('rolling periods', () => {
  test('re-enabling a limit does not subtract requests that it did not count', async () => {
    const id = await addLimit({ measure: 'requests', period: 'rolling_5h', amount: 10 });
    for (let i = 0; i < 8; i++) await gateway.chat(key);
    await change(id, { enabled: false });
    await change(id, { enabled: true });
    for (let i = 0; i < 2; i++) await gateway.chat(key);
    const parts =
      'select (select sum(b) from unnest(buckets) b)::float as parts from limit_counters where limit_id = $1';
    expect(await query(parts, [id])).toEqual([{ parts: (await counter(id)).used }]);
  });

  test('usage stays when the clock of the database is set back', async () => {
    const id = await addLimit({ measure: 'requests', period: 'rolling_5h', amount: 10 });
    for (let i = 0; i < 5; i++) await gateway.chat(key);
    const before = `(date_part('epoch', clock_timestamp() - interval '11 minutes') * 1e6)::bigint`;
    const read = `select (limit_advanced(c, ${before})).used::int as used from limit_counters c where limit_id = $1`;
    expect(await query(read, [id])).toEqual([{ used: 5 }]);
  });
});

test('a locked counter of one limit does not delay other keys', async () => {
  const id = await addLimit({ measure: 'tokens', amount: 1_000_000_000 });
  const other = await gateway.createKey();
  const runner = gateway.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  await runner.query('select from limit_counters where limit_id = $1 for update', [id]);
  const waiting = gateway.chat(key);
  const responses: number[] = [];
  for (const endMs = performance.now() + 3000; performance.now() < endMs;)
    responses.push((await gateway.chat(other)).status);
  await runner.rollbackTransaction();
  await runner.release();
  await waiting;
  expect([new Set(responses), responses.length]).toEqual([new Set([200]), expect.any(Number)]);
  expect(responses.length).toBeGreaterThan(5);
});
