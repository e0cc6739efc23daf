import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../../support/gateway.js';
import { wrongHolds } from '../../support/limit-rows.js';
import { until } from '../../support/until.js';
import { Cluster } from './cluster.js';

interface Limit {
  readonly id: number;
  readonly used: number;
  readonly reserved: number;
  readonly estimated: number;
}

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
});
afterAll(() => cluster.stop());

test('the reservations of a killed process are ended by a process that was there before and serves nothing', async () => {
  const [killed, idle] = cluster.gateways;
  const { id, key } = await killed.createKey();
  const fields = { scope: 'key', key_id: id, measure: 'tokens', period: 'month', amount: 10_000_000 };
  const limit = await idle.call<Limit>('POST', '/admin/limits', { key: ADMIN_KEY, body: fields });
  const read = async () => (await idle.call<Limit>('GET', `/admin/limits/${limit.body.id}`, { key: ADMIN_KEY })).body;
  cluster.upstream.on('POST', '/v1/chat/completions', () => new Promise(() => undefined));
  const running = killed.chat(key, { max_tokens: 1000 }).catch(() => null);
  await until(() => cluster.upstream.requests.some(({ method }) => method === 'POST'));
  const { reserved } = await read();
  expect(reserved).toBeGreaterThan(0);
  await killed.kill();
  await running;
  // After 15 s without a heartbeat.
  await until(async () => (await read()).reserved === 0);
  expect(await read()).toMatchObject({ used: reserved, estimated: reserved });
  expect(await wrongHolds(cluster.database)).toEqual([]);
});
