import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { declaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { isSigned, Receiver, status } from '../support/webhook-receiver.js';
import { WebhookGateway, type DeliveryPage } from '../support/webhook-gateway.js';
import { errorCodeIn } from '../support/responses.js';

const PATH = '/admin/webhooks';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const NOWHERE = 'https://hooks.example.invalid/x';

let receiver: Receiver;
let gw: WebhookGateway;
beforeAll(async () => {
  [receiver, gw] = await Promise.all([Receiver.start(), WebhookGateway.start()]);
});
afterAll(async () => {
  await gw.stop();
  await receiver.stop();
});
afterEach(() => gw.clear());

const refusal = async (method: string, path: string, body?: unknown) =>
  errorCodeIn(await gw.webhooks(method, path, body));

describe('test event of a webhook', () => {
  test('a signed test event is sent to that webhook only, even if disabled and not subscribed', async () => {
    await gw.createWebhook(`${receiver.url}/not-tested`);
    const webhook = await gw.createWebhook(`${receiver.url}/tested`, { events: ['key_expired'], enabled: false });
    const response = await gw.webhooks<{ event_id: string; delivery_id: string }>('POST', `/${webhook.id}/test`);
    expect([response.status, response.body]).toEqual([202, { event_id: UUID, delivery_id: UUID }]);
    const row = await gw.newest(webhook.id, ({ status }) => status === 'delivered');
    expect(row).toMatchObject({
      id: response.body.delivery_id,
      event_id: response.body.event_id,
      type: 'webhook_test',
    });
    const [message, ...more] = receiver.at('/tested');
    expect([more, isSigned(message!, webhook.secret)]).toEqual([[], true]);
    expect(message!.body).toEqual({
      id: row.event_id,
      type: 'webhook_test',
      created_at: row.created_at,
      data: { webhook_id: webhook.id, message: 'This is a test event sent by an operator.' },
    });
    expect(receiver.at('/not-tested')).toEqual([]);
  });
});

describe('webhook deliveries', () => {
  test('deliveries are listed with every field, newest first, in pages and by status', async () => {
    const webhook = await gw.createWebhook(`${receiver.url}/listed`);
    receiver.on('/listed', (received, response) =>
      status(received.body.type === 'key_revoked' ? 200 : 500, 'words')(received, response),
    );
    for (const type of ['key_revoked', 'key_rotated', 'key_suspended'] as const) {
      await gw.publish({ type, data: {} });
      await gw.newest(webhook.id, (row) => row.type === type && row.attempts === 1);
    }
    const page = async (query = '') =>
      (await gw.webhooks<DeliveryPage>('GET', `/${webhook.id}/deliveries${query}`)).body;
    const all = await page();
    const shape = { id: UUID, event_id: UUID, attempts: 1, response_excerpt: 'words', created_at: TIME };
    const failing = { ...shape, status: 'pending', response_status: 500, next_attempt_at: TIME };
    expect(all).toEqual({
      total: 3,
      has_more: false,
      deliveries: [
        { ...failing, type: 'key_suspended' },
        { ...failing, type: 'key_rotated' },
        { ...shape, type: 'key_revoked', status: 'delivered', response_status: 200, next_attempt_at: null },
      ],
    });
    const [newest, second, oldest] = all.deliveries;
    expect(await page('?limit=2')).toEqual({ total: 3, has_more: true, deliveries: [newest, second] });
    expect(await page('?limit=2&offset=2')).toEqual({ total: 3, has_more: false, deliveries: [oldest] });
    expect(await page('?status=delivered')).toEqual({ total: 1, has_more: false, deliveries: [oldest] });
    expect(await page('?status=pending&limit=1')).toEqual({ total: 2, has_more: true, deliveries: [newest] });
    expect((await page('?status=failed')).total).toBe(0);
  });

  test('a delivery cannot be retried through another webhook', async () => {
    const [one, other] = [await gw.createWebhook(`${receiver.url}/one-of-two`), await gw.createWebhook(NOWHERE)];
    receiver.on('/one-of-two', status(500));
    await gw.publish({ type: 'key_revoked', data: {} });
    const { id } = await gw.newest(one.id, ({ attempts }) => attempts === 1);
    expect(await refusal('POST', `/${other.id}/deliveries/${id}/retry`)).toBe('404 not_found');
    expect((await gw.deliveries(one.id))[0]).toMatchObject({ attempts: 1 });
  });
});

test.each([
  ...['?limit=0', '?limit=501', '?limit=x', '?limit=1&limit=2', '?offset=-1', '?offset=1.5', '?colour=red'].flatMap(
    (query) => [
      ['', query],
      ['/deliveries', query],
    ],
  ),
  ['/deliveries', '?status=done'],
  ['/deliveries', '?status='],
  ['one', '?x=1'],
] as [string, string][])('GET %s%s is rejected', async (path, query) => {
  const { id } = await gw.createWebhook(NOWHERE, { enabled: false });
  const at = path === '' ? '' : path === 'one' ? `/${id}` : `/${id}${path}`;
  expect(await refusal('GET', at + query)).toBe(`400 validation_error ${/\?(\w+)/.exec(query)![1]}`);
});

describe('webhook routes', () => {
  const ROUTES = [
    'GET /{id}',
    'PATCH /{id}',
    'DELETE /{id}',
    'POST /{id}/test',
    'GET /{id}/deliveries',
    'POST /{id}/deliveries/{delivery_id}/retry',
  ];

  test.each(ROUTES)('%s returns 404 for an unknown or malformed ID', async (route) => {
    const [method, path] = route.split(' ') as [string, string];
    for (const id of [randomUUID(), 'x', '0', `${randomUUID()}0`])
      expect(await refusal(method, path.replace('{id}', id).replace('{delivery_id}', randomUUID()))).toBe(
        '404 not_found',
      );
  });

  test('retrying a delivery returns 404 for an unknown or malformed ID', async () => {
    const { id } = await gw.createWebhook(NOWHERE, { enabled: false });
    for (const delivery of [randomUUID(), 'x'])
      expect(await refusal('POST', `/${id}/deliveries/${delivery}/retry`)).toBe('404 not_found');
  });

  test.each(['POST /{id}/test', 'DELETE /{id}', 'POST /{id}/deliveries/{delivery_id}/retry'])(
    '%s rejects body fields',
    async (route) => {
      const [method, path] = route.split(' ') as [string, string];
      const { id } = await gw.createWebhook(NOWHERE, { enabled: false });
      const at = path.replace('{id}', id).replace('{delivery_id}', randomUUID());
      expect(await refusal(method, at, { colour: 'red' })).toBe('400 validation_error colour');
      expect((await gw.webhooks('GET', `/${id}`)).status).toBe(200);
    },
  );

  test('reads require the viewer role and changes the admin role', () => {
    const routes = declaredRoutes(gw.gateway.app).filter(({ path }) => path.startsWith(PATH));
    const roles = routes.map(({ method, path, spec }) => [
      `${method} ${path.slice(PATH.length)}`,
      spec?.kind === 'admin' && spec.role,
    ]);
    expect(Object.fromEntries(roles)).toEqual({
      'GET ': 'viewer',
      'GET /:id': 'viewer',
      'GET /:id/deliveries': 'viewer',
      'POST ': 'admin',
      'PATCH /:id': 'admin',
      'DELETE /:id': 'admin',
      'POST /:id/test': 'admin',
      'POST /:id/deliveries/:delivery_id/retry': 'admin',
    });
  });

  test('every route requires a valid credential', async () => {
    for (const route of ['GET ', 'POST ', ...ROUTES]) {
      const [method, path] = route.split(' ') as [string, string];
      const at = PATH + path.replace('{id}', randomUUID()).replace('{delivery_id}', randomUUID());
      expect(errorCodeIn(await gw.gateway.call(method, at))).toBe('401 missing_api_key');
      expect(errorCodeIn(await gw.gateway.call(method, at, { key: 'admin_gw_wrong' }))).toBe('401 invalid_api_key');
    }
  });
});

test('every change to a webhook is audited with old and new values, without secrets', async () => {
  const webhook = await gw.createWebhook(`${receiver.url}/audited?token=hidden`, { events: ['key_revoked'] });
  const at = `/${webhook.id}`;
  await gw.webhooks('PATCH', at, { url: `${receiver.url}/audited/b?token=hidden`, events: ['*'], enabled: false });
  receiver.on('/audited/b?token=hidden', status(500));
  const tested = await gw.webhooks('POST', `${at}/test`);
  await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
  await gw.webhooks('PATCH', at, { enabled: true });
  const [delivery] = await gw.deliveries(webhook.id);
  expect((await gw.webhooks('POST', `${at}/deliveries/${delivery!.id}/retry`)).status).toBe(202);
  await gw.webhooks('DELETE', at);
  const rows = await gw.audited(webhook.id);
  expect(new Set(rows.map(({ actor_type }) => actor_type))).toEqual(new Set(['admin_key']));
  const entries = rows.map(({ action, metadata: { request_id, ip, actor_id, ...metadata } }) => {
    expect([request_id, ip, actor_id]).toEqual([UUID, '127.0.0.1', null]);
    return [action, metadata];
  });
  const change = (old: unknown, now: unknown) => ({ old, new: now });
  const masked = `${receiver.url}/…`;
  expect(entries).toEqual([
    [
      'webhook.created',
      { changes: { url: change(null, masked), events: change(null, ['key_revoked']), enabled: change(null, true) } },
    ],
    [
      'webhook.updated',
      {
        changes: { url: change(masked, masked), events: change(['key_revoked'], ['*']), enabled: change(true, false) },
      },
    ],
    ['webhook.tested', { event_id: tested.body.event_id }],
    ['webhook.updated', { changes: { enabled: change(false, true) } }],
    ['webhook.updated', { delivery_sent_again: delivery!.id }],
    [
      'webhook.deleted',
      { changes: { url: change(masked, null), events: change(['*'], null), enabled: change(true, null) } },
    ],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/whsec_|hidden/);
});
