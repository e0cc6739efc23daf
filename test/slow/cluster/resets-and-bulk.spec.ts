import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import type { GatewayProcess } from '../../support/gateway-process.js';
import type { Key } from '../../support/gateway.js';
import { Cluster, EXACT } from './cluster.js';

const LIMIT = 60;
const ROUNDS = 20;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ slowNotifications: true, env: EXACT });
});
beforeEach(() => cluster.upstream.reset());
afterAll(() => cluster.stop());

const howMany = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;
const chatsUpstream = () => cluster.upstream.requests.filter(({ method }) => method === 'POST').length;

async function reset(at: GatewayProcess, key: Key): Promise<void> {
  expect((await at.admin('POST', `/${key.id}/reset-quota`, { window: 'month' })).status).toBe(200);
}

const sides = (round: number) => (round % 2 === 0 ? cluster.gateways : cluster.gateways.toReversed());

describe('quota resets across processes', () => {
  test(`a reset applies to the next request to another process before its notification arrives (${ROUNDS} times)`, async () => {
    const key = await cluster.gateways[0].createKey({ monthly_limit: 1 });
    for (let round = 0; round < ROUNDS; round++) {
      const [at, elsewhere] = sides(round);
      const statuses = [await elsewhere!.chat(key.key), await elsewhere!.chat(key.key)].map(({ status }) => status);
      expect(statuses).toEqual([200, 429]);
      await reset(at!, key);
    }
  });

  test('after a reset both processes together admit exactly the limit again', async () => {
    const key = await cluster.gateways[0].createKey({ monthly_limit: LIMIT });
    for (const gateway of cluster.gateways) {
      expect(howMany(await cluster.flood(key.key, 2 * LIMIT), 200)).toBe(LIMIT);
      await reset(gateway, key);
    }
    expect(howMany(await cluster.flood(key.key, 2 * LIMIT), 200)).toBe(LIMIT);
    expect(chatsUpstream()).toBe(3 * LIMIT);
    expect(await cluster.counted(key.id)).toBe(LIMIT);
  });

  test('a reset under load admits at most the limit before it and the limit after it', async () => {
    const key = await cluster.gateways[0].createKey({ monthly_limit: LIMIT });
    const first = cluster.flood(key.key, 2 * LIMIT);
    await until(() => chatsUpstream() > LIMIT / 4);
    await reset(cluster.gateways[1], key);
    const servedBefore = howMany(await first, 200);
    const servedAfter = howMany(await cluster.flood(key.key, 2 * LIMIT), 200);
    expect(servedBefore + servedAfter).toBeLessThanOrEqual(2 * LIMIT);
    expect(servedBefore + servedAfter).toBeGreaterThanOrEqual(LIMIT);
    expect(chatsUpstream()).toBe(servedBefore + servedAfter);
    expect(await cluster.counted(key.id)).toBe(LIMIT);
  });
});

describe('bulk changes across processes', () => {
  test(`a bulk change applies to the next request to another process before its notification arrives (${ROUNDS} times)`, async () => {
    const [first] = cluster.gateways;
    const keys = [await first.createKey(), await first.createKey(), await first.createKey()];
    const ids = keys.map(({ id }) => id);
    for (let round = 0; round < ROUNDS; round++) {
      const [at, elsewhere] = sides(round);
      for (const [action, status] of [
        ['suspend', 403],
        ['unsuspend', 200],
      ] as const) {
        const { body } = await at!.admin<{ succeeded: unknown[] }>('POST', `/bulk-${action}`, { ids });
        expect(body.succeeded).toHaveLength(3);
        const responses = await Promise.all(keys.map(({ key }) => elsewhere!.chat(key)));
        expect(responses.map((response) => response.status)).toEqual([status, status, status]);
      }
    }
  });
});
