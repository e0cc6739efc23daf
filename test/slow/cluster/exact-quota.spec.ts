import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { Cluster, EXACT } from './cluster.js';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ env: EXACT });
});
beforeEach(() => cluster.upstream.reset());
afterAll(() => cluster.stop());

/** Counts POST requests only, because each process also fetches the model list. */
const chatsUpstream = () => cluster.upstream.requests.filter(({ method }) => method === 'POST').length;
const howMany = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

describe('exact limits across processes', () => {
  test.each(['rpd_limit', 'monthly_limit'])(
    'two processes together admit exactly as many concurrent requests as %s allows',
    async (limit) => {
      const key = await cluster.gateways[0].createKey({ [limit]: 60 });
      const statuses = await cluster.flood(key.key, 180);
      expect([howMany(statuses, 200), howMany(statuses, 429)]).toEqual([60, 120]);
      expect(chatsUpstream()).toBe(60);
      expect(await cluster.counted(key.id)).toBe(60);
    },
  );

  test('counts survive a `kill -9` of a process under load', async () => {
    const limit = 400;
    const { id, key } = await cluster.gateways[0].createKey({ monthly_limit: limit });
    await loadUntilKilled(key);

    await cluster.restart(1);
    await until(async () => (await backendsAtWork()) === 0);
    const counted = await cluster.counted(id);
    // Requests are counted before they are forwarded, so some can be counted but not forwarded.
    expect(counted).toBeGreaterThanOrEqual(chatsUpstream());
    expect(counted).toBeLessThan(limit);

    const first = await cluster.gateways[1].chat(key);
    expect(first.headers.get('x-ratelimit-remaining-month')).toBe(String(limit - counted - 1));
    expect(howMany(await cluster.flood(key, limit), 200)).toBe(limit - counted - 1);
    expect(chatsUpstream()).toBeLessThanOrEqual(limit);
    expect(await cluster.counted(id)).toBe(limit);
  });
});

async function loadUntilKilled(key: string): Promise<void> {
  let killed = false;
  let lost = 0;
  const client = async (at: number) => {
    while (!killed) {
      const response = await cluster.gateways[at % 2]!.chat(key).catch(() => null);
      if (response === null) lost += 1;
      else expect(response.status).toBe(200);
    }
  };
  const clients = Array.from({ length: 16 }, (_, at) => client(at));
  await until(() => chatsUpstream() > 100);
  await cluster.gateways[1].kill();
  killed = true;
  await Promise.all(clients);
  expect(lost).toBeGreaterThan(0);
}

/** Returns the number of running statements, including those of ended processes. */
async function backendsAtWork(): Promise<number> {
  const { rows } = await cluster.database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows[0]!.count;
}
