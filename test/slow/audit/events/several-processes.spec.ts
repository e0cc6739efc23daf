import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { until } from '../../../support/until.js';
import { ADMIN_KEY, SECRET_KEY } from '../../../support/gateway.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { Receiver, status, isSigned } from '../../../support/webhook-receiver.js';
import { WebhookGateway } from '../../../support/webhook-gateway.js';

let receiver: Receiver;
let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
beforeAll(async () => {
  [receiver, upstream, scratch] = await Promise.all([Receiver.start(), startUpstream(), createScratchDatabase()]);
});
const running: WebhookGateway[] = [];
const others: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const gw of running.splice(0)) {
    await gw.clear();
    await gw.stop();
  }
  for (const end of others.splice(0)) await end();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await receiver.stop();
  await upstream.stop();
  await scratch.drop();
});

async function start(env: Record<string, string> = {}, databaseUrl = scratch.url): Promise<WebhookGateway> {
  const gw = await WebhookGateway.start(env, { upstream, databaseUrl });
  running.push(gw);
  return gw;
}
async function stop(gw: WebhookGateway): Promise<void> {
  running.splice(running.indexOf(gw), 1);
  await gw.stop();
}

test('two processes deliver every event exactly once', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const webhooks = await Promise.all(['/a', '/b', '/c'].map((path) => one.createWebhook(receiver.url + path)));
  // The receiver is slow enough that both processes have work at the same time.
  for (const path of ['/a', '/b', '/c'])
    receiver.on(path, (received, response) => void setTimeout(() => status(200)(received, response), 5));
  await Promise.all([one, other, one, other].map((gw) => gw.publishMany(25)));
  for (const { id } of webhooks)
    await until(async () => (await one.deliveries(id, '?status=delivered&limit=500')).length === 100);
  for (const path of ['/a', '/b', '/c']) {
    const ids = receiver.at(path).map(({ body }) => body.id);
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
  }
});

test('the deliveries of a killed process are sent by another once their lease expires', async () => {
  const killed = await GatewayProcess.start({
    DATABASE_URL: scratch.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_SECRET_KEY: SECRET_KEY,
    GW_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const hanging = Promise.withResolvers<void>();
  receiver.on('/killed', () => hanging.resolve());
  const made = await killed.call<{ id: string }>('POST', '/admin/webhooks', {
    key: ADMIN_KEY,
    body: { url: `${receiver.url}/killed`, events: ['*'] },
  });
  const { id } = made.body;
  await killed.call('POST', `/admin/webhooks/${id}/test`, { key: ADMIN_KEY });
  await hanging.promise;
  await killed.kill();
  receiver.on('/killed', status(200));
  const other = await start();
  await other.publish({ type: 'key_revoked', data: {} });
  await until(() => receiver.at('/killed').some(({ body }) => body.type === 'key_revoked'));
  const pending = async () =>
    (await other.deliveries(id, '?status=pending')).map(({ type, attempts }) => [type, attempts]);
  // The row of a delivery is updated after its response.
  await until(async () => (await pending()).length === 1);
  expect(await pending()).toEqual([['webhook_test', 0]]);
  await other.set(id, `leased_until = now() - interval '1 second'`);
  await until(async () => (await other.deliveries(id, '?status=delivered')).length === 2);
  const tests = receiver.at('/killed').filter(({ body }) => body.type === 'webhook_test');
  expect(tests.map(({ text }) => text)).toEqual([tests[0]!.text, tests[0]!.text]);
});

describe('shutdown', () => {
  test('a stopping process finishes its deliveries, so they are not sent again', async () => {
    const [stopped, other] = await Promise.all([start(), start()]);
    const webhook = await stopped.createWebhook(`${receiver.url}/ended`);
    const open: (() => void)[] = [];
    receiver.on('/ended', (received, response) => void open.push(() => status(200)(received, response)));
    await stopped.publishMany(4);
    await until(() => open.length === 4);
    const stopping = stop(stopped);
    for (const end of open) end();
    await stopping;
    await until(async () => (await other.deliveries(webhook.id, '?status=delivered')).length === 4);
    expect(receiver.at('/ended')).toHaveLength(4);
  });

  test('a stopping process releases deliveries without a response after 5 s', async () => {
    const stopped = await start();
    const webhook = await stopped.createWebhook(`${receiver.url}/given-back`);
    receiver.on('/given-back', () => {});
    await stopped.publishMany(1);
    await until(() => receiver.at('/given-back').length === 1);
    await stop(stopped);
    receiver.on('/given-back', status(200));
    const other = await start();
    const row = await other.newest(webhook.id, ({ status }) => status === 'delivered');
    expect(row.attempts).toBe(1);
    expect(receiver.at('/given-back')).toHaveLength(2);
  });
});

test('deliveries that finish during a database outage are recorded after it', async () => {
  const own = await createScratchDatabase();
  const proxy = await FaultProxy.start(own.url);
  others.push(() => proxy.disconnect().catch(() => undefined), own.drop);
  const gw = await start({}, proxy.url);
  const webhook = await gw.createWebhook(`${receiver.url}/away`);
  const open: (() => void)[] = [];
  receiver.on('/away', (received, response) => void open.push(() => status(200)(received, response)));
  await gw.publishMany(2);
  await until(() => open.length === 2);
  await proxy.disconnect();
  for (const end of open) end();
  await until(async () => (await gw.gateway.call('GET', '/health/ready')).body.status === 'degraded');
  await proxy.reconnect();
  await until(async () => (await gw.webhooks('GET', '')).status === 200);
  await until(async () => (await gw.deliveries(webhook.id, '?status=delivered')).length === 2);
  expect(receiver.at('/away')).toHaveLength(2);
  await gw.publishMany(1);
  await until(() => open.length === 3);
  open[2]!();
});

describe('rotation of GW_SECRET_KEY', () => {
  const OLD = Buffer.alloc(32, 1).toString('base64');
  const NEW = Buffer.alloc(32, 2).toString('base64');

  test('messages are signed with the same webhook secrets after the old key is removed', async () => {
    const before = await start({ GW_SECRET_KEY: OLD });
    // Secrets that no key can decrypt must not stop the re-encryption of the others, regardless of their order.
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
      await before.query(
        `insert into webhooks (id, url, events, secret, enabled, created_at, updated_at)
         values ($1, 'http://127.0.0.1:1/', '{*}', 'v1.x', false, now(), now())`,
        [id],
      );
    const webhook = await before.createWebhook(`${receiver.url}/rotated`);
    const stored = async (gw: WebhookGateway) =>
      (await gw.query<{ secret: string }>('select secret from webhooks where id = $1', [webhook.id]))[0]!.secret;
    const encrypted = await stored(before);
    await stop(before);
    const both = await start({ GW_SECRET_KEY: `${NEW},${OLD}` });
    await until(async () => (await stored(both)) !== encrypted);
    await stop(both);
    const after = await start({ GW_SECRET_KEY: NEW });
    await after.publishMany(1);
    await until(() => receiver.at('/rotated').length === 1);
    expect(isSigned(receiver.at('/rotated')[0]!, webhook.secret)).toBe(true);
  });

  test('a delivery whose secret cannot be decrypted is not sent, and its excerpt names GW_SECRET_KEY', async () => {
    const before = await start({ GW_SECRET_KEY: OLD });
    const webhook = await before.createWebhook(`${receiver.url}/unreadable`);
    await stop(before);
    const after = await start({ GW_SECRET_KEY: NEW });
    await after.publishMany(1);
    const row = await after.newest(webhook.id, ({ attempts }) => attempts === 1);
    expect(row).toMatchObject({ status: 'pending', response_status: null });
    expect(row.response_excerpt).toContain('GW_SECRET_KEY');
    expect(receiver.at('/unreadable')).toEqual([]);
  });
});
