import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { describeInOrder } from '../../support/describe-in-order.js';
import { setTimeout as pause } from 'node:timers/promises';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import { ADMIN_KEY } from '../../support/gateway.js';
import { wrongHolds } from '../../support/limit-rows.js';
import { until } from '../../support/until.js';
import { Cluster } from './cluster.js';

interface Limit {
  readonly id: number;
  readonly used: number;
  readonly reserved: number;
  readonly estimated: number;
  readonly remaining: number;
}

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ processes: 4 });
});
beforeEach(async () => {
  cluster.upstream.reset();
  await cluster.database.query('update limits set deleted_at = now() where deleted_at is null');
});
afterAll(() => cluster.stop());

async function admin<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await cluster.gateways[0].call<T>(method, path, { key: ADMIN_KEY, body });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return response.body;
}

const createLimit = (fields: object) =>
  admin<Limit>('POST', '/admin/limits', { scope: 'account', measure: 'tokens', period: 'month', ...fields });
const readLimit = ({ id }: Limit) => admin<Limit>('GET', `/admin/limits/${id}`);
const chatsUpstream = () => cluster.upstream.requests.filter(({ method }) => method === 'POST').length;
const howMany = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

interface ChatBody {
  readonly max_tokens: number;
}

const usedBy = ({ max_tokens: most }: ChatBody): number => 10 + Math.ceil(most / 10);

/** Responds after a moment, with a tenth of the output that the request allows. */
function respondLater(): void {
  cluster.upstream.on('POST', '/v1/chat/completions', async (request) => {
    const total = usedBy(request.json() as unknown as ChatBody);
    await pause(5 + Math.random() * 40);
    const usage = { prompt_tokens: 10, completion_tokens: total - 10, total_tokens: total };
    return { status: 200, body: chatCompletion('gpt-4o-mini', usage) };
  });
}

// The last test kills a process.
describeInOrder('limits across four processes', () => {
  test('stay within the amount with three times as many requests of mixed sizes, and count what was used', async () => {
    respondLater();
    const { key } = await cluster.gateways[0].createKey();
    const limit = await createLimit({ amount: 40_000, reserve: 'full' });
    let isRunning = true;
    let highest = 0;
    const looks = (async () => {
      while (isRunning) {
        const { rows } = await cluster.database.query<{ sum: string }>(
          'select used + held as sum from limit_counters where limit_id = $1',
          [limit.id],
        );
        highest = Math.max(highest, Number(rows[0]!.sum));
      }
    })();
    const statuses = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        cluster.gateways[at % 4]!.chat(key, { max_tokens: 50 + ((at * 37) % 950) }).then(({ status }) => status),
      ),
    );
    isRunning = false;
    await looks;
    expect(highest).toBeLessThanOrEqual(40_000);
    expect(howMany(statuses, 200) + howMany(statuses, 429)).toBe(300);
    expect(howMany(statuses, 429)).toBeGreaterThan(0);
    expect(chatsUpstream()).toBe(howMany(statuses, 200));
    const actual = cluster.upstream.requests
      .filter(({ method }) => method === 'POST')
      .reduce((sum, request) => sum + usedBy(request.json() as unknown as ChatBody), 0);
    await until(async () => (await readLimit(limit)).reserved === 0);
    expect(await readLimit(limit)).toMatchObject({ used: actual, estimated: 0 });
    expect(await wrongHolds(cluster.database)).toEqual([]);
  });

  test('a new, changed or deleted limit applies to the next request on every process', async () => {
    const { key } = await cluster.gateways[0].createKey();
    const chats = async () =>
      (await Promise.all(cluster.gateways.map((gateway) => gateway.chat(key)))).map(({ status }) => status);
    expect(await chats()).toEqual([200, 200, 200, 200]);
    const limit = await createLimit({ measure: 'requests', amount: 0, period: 'total' });
    expect(await chats()).toEqual([429, 429, 429, 429]);
    await admin('PATCH', `/admin/limits/${limit.id}`, { amount: 1_000_000 });
    expect(await chats()).toEqual([200, 200, 200, 200]);
    await admin('PATCH', `/admin/limits/${limit.id}`, { amount: 0 });
    expect(await chats()).toEqual([429, 429, 429, 429]);
    await admin('DELETE', `/admin/limits/${limit.id}`);
    expect(await chats()).toEqual([200, 200, 200, 200]);
  });

  test('a team budget applies to a key from the request after it has moved to the team', async () => {
    const { id, key } = await cluster.gateways[0].createKey();
    const team = await admin<{ id: string }>('POST', '/admin/teams', { name: 'Budgeted' });
    await createLimit({ scope: 'team', team_id: team.id, measure: 'requests', amount: 0 });
    expect((await cluster.gateways[1].chat(key)).status).toBe(200);
    await admin('PATCH', `/admin/api-keys/${id}`, { team_id: team.id });
    for (const gateway of cluster.gateways) {
      const { status, body } = await gateway.chat(key);
      expect([status, body]).toMatchObject([429, { error: { code: 'rate_limit_exceeded', limit: { scope: 'team' } } }]);
    }
    await admin('PATCH', `/admin/api-keys/${id}`, { team_id: null });
    expect((await cluster.gateways[2]!.chat(key)).status).toBe(200);
  });

  test('a process that is killed with running requests leaves their reservations as used and estimated', async () => {
    const { id, key } = await cluster.gateways[0].createKey();
    const limit = await createLimit({ scope: 'key', key_id: id, amount: 10_000_000 });
    cluster.upstream.on('POST', '/v1/chat/completions', () => new Promise(() => undefined));
    const running = Array.from({ length: 5 }, () =>
      cluster.gateways[3]!.chat(key, { max_tokens: 1000 }).catch(() => null),
    );
    await until(() => chatsUpstream() === 5);
    const { reserved } = await readLimit(limit);
    expect(reserved).toBeGreaterThan(0);
    await cluster.gateways[3]!.kill();
    await Promise.all(running);
    respondLater();
    expect((await cluster.gateways[1].chat(key, { max_tokens: 100 })).status).toBe(200);
    // The other processes notice after 15 s without a heartbeat.
    await until(async () => (await readLimit(limit)).reserved === 0);
    expect(await readLimit(limit)).toMatchObject({ used: reserved + 20, estimated: reserved });
    expect(await wrongHolds(cluster.database)).toEqual([]);
  });
});
