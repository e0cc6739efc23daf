import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Client } from 'pg';
import { until } from '../support/until.js';
import { OwnRedis, describeWithOwnRedis } from '../redis/own-redis.js';
import { GatewayProcess } from '../support/gateway-process.js';
import type { Key } from '../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { OutageLoad } from '../support/outage-load.js';
import { SlowNotices } from './slow-notices.js';

/** 2 s are promised, on a machine that has something to spare. */
const ANSWER_MS_MAX = 4000;
const FOUND_AGAIN_MS_MAX = 5000;
const PLENTY_MS = 20_000;

describeWithOwnRedis('two gateways that count in Redis', () => {
  let redis: OwnRedis;
  let upstream: ScriptedUpstream;
  let scratch: ScratchDatabase;
  let notices: SlowNotices;
  let database: Client;
  let gateways: [GatewayProcess, GatewayProcess];
  let busy: Key;
  let load: OutageLoad;

  beforeAll(async () => {
    [redis, upstream, scratch] = await Promise.all([OwnRedis.start(), startUpstream(), createScratchDatabase()]);
    // What PostgreSQL tells of a change comes half a second late: whoever knows of it sooner knows it by Redis.
    notices = await SlowNotices.before(scratch.url);
    database = new Client({ connectionString: scratch.url });
    await database.connect();
    const env = { DATABASE_URL: notices.url, GW_UPSTREAM_BASE_URL: upstream.url, REDIS_URL: redis.url };
    gateways = [await GatewayProcess.start(env), await GatewayProcess.start(env)];
  }, 60_000);
  beforeEach(async () => {
    await until(() => both('ready'), FOUND_AGAIN_MS_MAX);
    busy = await gateways[0].createKey();
    load = new OutageLoad(gateways, busy.key);
    await until(() => load.served > 40, PLENTY_MS);
  });
  afterEach(async () => {
    await load.stop();
    redis.signal('SIGCONT');
  });
  afterAll(async () => {
    await GatewayProcess.endAll();
    await database.end();
    notices.stop();
    await upstream.stop();
    await scratch.drop();
    await redis.drop();
  });

  const stateOf = async (gateway: GatewayProcess) => (await gateway.call('GET', '/health/ready')).body;
  const both = async (state: string) =>
    (await Promise.all(gateways.map(stateOf))).every((body) => body.redis === state);
  const codeOf = async (gateway: GatewayProcess, key: string) => {
    const { status, body } = await gateway.chat(key);
    return status === 200 ? 200 : (body as { error: { code: string } }).error.code;
  };
  /** Requests that the database holds as counted this month. */
  const counted = async ({ id }: Key) => {
    const sql = 'select month_count::int as count from key_quota where key_id = $1';
    return (await database.query<{ count: number }>(sql, [id])).rows[0]!.count;
  };
  async function untilCounted(key: Key, requests: number): Promise<void> {
    await until(async () => (await counted(key)) >= requests, FOUND_AGAIN_MS_MAX).catch(() => undefined);
    expect(await counted(key)).toBe(requests);
  }

  /** Every way in which a change has to hold at the other gateway by the next request. D3 */
  async function changesHoldAtOnce(): Promise<void> {
    const [at, elsewhere] = gateways;
    const key = await at.createKey();
    for (const gateway of gateways) expect(await codeOf(gateway, key.key)).toBe(200);
    await at.admin('POST', `/${key.id}/suspend`);
    expect(await codeOf(elsewhere, key.key)).toBe('api_key_suspended');
    await at.admin('POST', `/${key.id}/unsuspend`);
    expect(await codeOf(elsewhere, key.key)).toBe(200);
    await at.admin('PATCH', `/${key.id}`, { monthly_limit: 3 });
    expect(await codeOf(elsewhere, key.key)).toBe('rate_limit_exceeded');
    await at.admin('POST', `/${key.id}/reset-quota`, { window: 'all' });
    expect(await codeOf(elsewhere, key.key)).toBe(200);
    const rotated = (await at.admin<Key>('POST', `/${key.id}/rotate`)).body;
    expect(await codeOf(elsewhere, key.key)).toBe('invalid_api_key');
    expect(await codeOf(elsewhere, rotated.key)).toBe(200);
  }

  /** One is enough: each waits 2 s for a Redis that is away. */
  async function aChangeHolds(): Promise<void> {
    const [at, elsewhere] = gateways;
    const key = await at.createKey();
    expect(await codeOf(elsewhere, key.key)).toBe(200);
    await at.admin('POST', `/${key.id}/suspend`);
    expect(await codeOf(elsewhere, key.key)).toBe('api_key_suspended');
  }

  test('are exact together, and an admin change at one holds at the other at once', async () => {
    const limited = await gateways[0].createKey({ monthly_limit: 25 });
    const calls = gateways.flatMap((gateway) => Array.from({ length: 20 }, () => codeOf(gateway, limited.key)));
    expect((await Promise.all(calls)).filter((code) => code === 200)).toHaveLength(25);
    await untilCounted(limited, 25);
    for (let round = 0; round < 5; round++) await changesHoldAtOnce();
  }, 60_000);

  test.each([
    ['killed, and started again empty', () => redis.kill(), () => redis.startAgain()],
    [
      'stopped, so that it hangs, and let go on',
      async () => redis.signal('SIGSTOP'),
      async () => redis.signal('SIGCONT'),
    ],
  ])(
    'go on by PostgreSQL while it is %s: nobody is refused, changes hold, and every request is counted once',
    async (_how, lose, comeBack) => {
      const limited = await gateways[0].createKey({ monthly_limit: 30 });
      for (const gateway of gateways) expect(await codeOf(gateway, limited.key)).toBe(200);
      await untilCounted(limited, 2);
      await lose();
      await until(() => both('away'), ANSWER_MS_MAX);
      expect(await stateOf(gateways[0])).toMatchObject({ status: 'degraded', redis: 'away', database: 'ready' });
      for (const gateway of gateways) for (let i = 0; i < 4; i++) expect(await codeOf(gateway, limited.key)).toBe(200);
      await aChangeHolds();

      await comeBack();
      await until(() => both('ready'), FOUND_AGAIN_MS_MAX);
      await changesHoldAtOnce();
      const before = load.served;
      await until(() => load.served > before + 100, PLENTY_MS);
      const calls = gateways.flatMap((gateway) => Array.from({ length: 20 }, () => codeOf(gateway, limited.key)));
      expect((await Promise.all(calls)).filter((code) => code === 200)).toHaveLength(20);
      await load.stop();
      expect(load.statuses).toEqual([200]);
      expect(load.longestMs).toBeLessThan(ANSWER_MS_MAX);
      await untilCounted(busy, load.served);
      await untilCounted(limited, 30);
    },
    60_000,
  );

  test('that are stopped have told PostgreSQL what Redis granted', async () => {
    const key = await gateways[0].createKey();
    for (let i = 0; i < 7; i++) expect(await codeOf(gateways[0], key.key)).toBe(200);
    await load.stop();
    const ends = await Promise.all(gateways.map((gateway) => gateway.stop()));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(await counted(key)).toBe(7);
    expect(await counted(busy)).toBe(load.served);
  }, 60_000);
});
