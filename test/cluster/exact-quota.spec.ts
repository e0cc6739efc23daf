import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { Cluster } from './cluster.js';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start();
});
beforeEach(() => cluster.upstream.reset());
afterAll(() => cluster.stop());

/** The statuses of `count` simultaneous requests, to both processes in turn. */
async function flood(key: string, count: number): Promise<number[]> {
  const requests = Array.from({ length: count }, (_, at) => cluster.gateways[at % 2]!.chat(key));
  return (await Promise.all(requests)).map(({ status }) => status);
}

/** Not the lists of models, which each process reads. */
const chatsUpstream = () => cluster.upstream.requests.filter(({ method }) => method === 'POST').length;
const howMany = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

describe('the limit of a key', () => {
  test.each(['rpd_limit', 'monthly_limit'])(
    'holds for two processes together: of 3N simultaneous requests N pass (%s)',
    async (limit) => {
      const key = await cluster.gateways[0].createKey({ [limit]: 60 });
      const statuses = await flood(key.key, 180);
      expect([howMany(statuses, 200), howMany(statuses, 429)]).toEqual([60, 120]);
      expect(chatsUpstream()).toBe(60);
      expect(await cluster.counted(key.id)).toBe(60);
    },
  );

  test('survives `kill -9` of a process under load: counting goes on where it was', async () => {
    const limit = 400;
    const { id, key } = await cluster.gateways[0].createKey({ monthly_limit: limit });
    await loadUntilKilled(key);

    await cluster.startAnew(1);
    await until(async () => (await backendsAtWork()) === 0, 5000);
    const counted = await cluster.counted(id);
    // What had reached the upstream had been counted before; a request may have been counted and got no further.
    expect(counted).toBeGreaterThanOrEqual(chatsUpstream());
    expect(counted).toBeLessThan(limit);

    const first = await cluster.gateways[1].chat(key);
    expect(first.headers.get('x-ratelimit-remaining-month')).toBe(String(limit - counted - 1));
    expect(howMany(await flood(key, limit), 200)).toBe(limit - counted - 1);
    expect(chatsUpstream()).toBeLessThanOrEqual(limit);
    expect(await cluster.counted(id)).toBe(limit);
  });
});

/** Sixteen clients at both processes; one of those is killed when it has answered for a while, in the middle of others. */
async function loadUntilKilled(key: string): Promise<void> {
  let killed = false;
  let lost = 0;
  const client = async (at: number) => {
    while (!killed) {
      const answer = await cluster.gateways[at % 2]!.chat(key).catch(() => null);
      if (answer === null) lost += 1;
      else expect(answer.status).toBe(200);
    }
  };
  const clients = Array.from({ length: 16 }, (_, at) => client(at));
  await until(() => chatsUpstream() > 100, 10_000);
  await cluster.gateways[1].kill();
  killed = true;
  await Promise.all(clients);
  expect(lost).toBeGreaterThan(0);
}

/** Statements still under way, such as those of a process that is gone. */
async function backendsAtWork(): Promise<number> {
  const { rows } = await cluster.database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows[0]!.count;
}
