import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { pinnedKey } from '../../support/pinned-key.js';

const LIMIT = 20;
const LIMITS = [
  ['minute', 'rpm_limit', 'Rate limit exceeded: requests per minute'],
  ['day', 'rpd_limit', 'Rate limit exceeded: requests per day'],
  ['month', 'monthly_limit', 'Monthly request limit exceeded'],
] as const;

let database: ScratchDatabase;
let upstream: ScriptedUpstream;
let one: TestGateway;
let other: TestGateway;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  const start = () => startGateway({}, { upstream, databaseUrl: database.url });
  [one, other] = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await upstream.stop();
  await database.drop();
});

/** Sends `count` concurrent requests, spread evenly over the gateways. Every request must be served or rejected with 429. */
async function admitted(gateways: readonly TestGateway[], key: Key, count: number) {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, at) => gateways[at % gateways.length]!.chat(key)),
  );
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused.map(errorCodeIn)).toEqual(refused.map(() => '429 rate_limit_exceeded'));
  return {
    served: responses.length - refused.length,
    messages: new Set(refused.map((response) => errorIn(response).message)),
  };
}

describe.each(LIMITS)('request limit per %s', (_window, field, message) => {
  test('exactly n of 3n concurrent requests are admitted', async () => {
    const key = await pinnedKey(one, { [field]: LIMIT });
    expect(await admitted([one], key, 3 * LIMIT)).toEqual({ served: LIMIT, messages: new Set([message]) });
    expect(await admitted([one], key, 3)).toMatchObject({ served: 0 });
  });

  test('exactly n of 3n concurrent requests to two instances are admitted', async () => {
    const key = await pinnedKey(one, { [field]: LIMIT });
    expect(await admitted([one, other], key, 3 * LIMIT)).toEqual({ served: LIMIT, messages: new Set([message]) });
    for (const gateway of [one, other]) {
      const { this_minute, today, this_month } = await snapshot(gateway, key);
      expect([this_minute.used, today.used, this_month.requests.used]).toEqual([LIMIT, LIMIT, LIMIT]);
    }
  });
});

test('requests over the minute limit do not count against the day and the month', async () => {
  const key = await pinnedKey(one, { rpm_limit: 2, rpd_limit: 4, monthly_limit: 6 });
  await admitted([one], key, 5);
  const { this_minute, today, this_month } = await snapshot(one, key);
  expect([this_minute, today, this_month.requests].map(({ used, remaining }) => [used, remaining])).toEqual([
    [2, 0],
    [2, 2],
    [2, 4],
  ]);
});

test('a new minute starts at zero, while the day keeps its count', async () => {
  const key = await one.createKey({ rpm_limit: 1, rpd_limit: 100 });
  await one.app.get(DataSource).query(
    `update key_quota set minute = floor(date_part('epoch', now()) / 60) - 1, minute_count = 5,
            day = floor(date_part('epoch', now()) / 86400), day_count = 5 where key_id = $1`,
    [key.id],
  );
  expect((await one.chat(key)).status).toBe(200);
  expect((await snapshot(one, key)).today.used).toBe(6);
});

test('each key is counted separately', async () => {
  const [first, second] = [await pinnedKey(one, { rpm_limit: 1 }), await pinnedKey(one, { rpm_limit: 1 })];
  expect((await admitted([one], first, 2)).served).toBe(1);
  expect((await admitted([other], second, 2)).served).toBe(1);
});

test('both instances reject a key whose recorded tokens have reached the token limit', async () => {
  const key = await pinnedKey(one, { monthly_token_limit: 24 });
  for (const used of [12, 24]) {
    expect((await one.chat(key)).status).toBe(200);
    await until(async () => (await snapshot(one, key)).this_month.tokens.used === used);
  }
  for (const gateway of [one, other]) {
    const response = await gateway.chat(key);
    expect(errorIn(response)).toMatchObject({ code: 'rate_limit_exceeded', message: 'Monthly token limit exceeded' });
  }
  expect((await snapshot(one, key)).this_month.tokens).toMatchObject({ limit: 24, used: 24, remaining: 0 });
  expect((await snapshot(one, key)).today.used).toBe(2);
});
