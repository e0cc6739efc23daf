import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { isSigned, rawReceiver, Receiver, status, type Response } from '../../support/webhook-receiver.js';
import { WebhookGateway } from '../../support/webhook-gateway.js';

const BROKEN = '[no response: the connection closed before a response]';
const DATA = { key_id: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90', key_name: 'ünï ✓', status: 'revoked' };
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

test('an event is delivered to every enabled webhook subscribed to it, and to no other', async () => {
  const wanted = await gw.createWebhook(`${receiver.url}/all`);
  await gw.createWebhook(`${receiver.url}/named`, { events: ['key_expired', 'key_revoked'] });
  await gw.createWebhook(`${receiver.url}/others`, { events: ['key_rotated'] });
  await gw.createWebhook(`${receiver.url}/off`, { enabled: false });
  expect(await gw.publish({ type: 'key_revoked', data: DATA })).toBe(true);
  await until(() => receiver.at('/all').length === 1 && receiver.at('/named').length === 1);
  const row = await gw.newest(wanted.id, ({ status }) => status === 'delivered');
  expect(row).toMatchObject({ attempts: 1, response_status: 204, response_excerpt: '', next_attempt_at: null });
  expect(receiver.at('/all')[0]).toMatchObject({
    method: 'POST',
    body: { id: row.event_id, type: 'key_revoked', created_at: row.created_at, data: DATA },
    headers: { 'content-type': 'application/json', 'webhook-id': row.event_id },
  });
  expect(Object.keys(receiver.at('/all')[0]!.body)).toEqual(['id', 'type', 'created_at', 'data']);
  expect(await gw.query('select 1 from webhook_deliveries where event_id = $1', [row.event_id])).toHaveLength(2);
});

describe('messages', () => {
  test("a message is signed with its webhook's secret, according to Standard Webhooks", async () => {
    const [one, other] = [
      await gw.createWebhook(`${receiver.url}/one`),
      await gw.createWebhook(`${receiver.url}/other`),
    ];
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await gw.publish({ type: 'key_revoked', data: DATA });
    await until(() => receiver.at('/one').length === 1 && receiver.at('/other').length === 1);
    const [toOne, toOther] = [receiver.at('/one')[0]!, receiver.at('/other')[0]!];
    expect([isSigned(toOne, one.secret), isSigned(toOther, other.secret)]).toEqual([true, true]);
    expect([isSigned(toOne, other.secret), isSigned({ ...toOne, text: `${toOne.text} ` }, one.secret)]).toEqual([
      false,
      false,
    ]);
    expect(toOne.headers['webhook-id']).toBe(toOther.headers['webhook-id']);
  });

  test('a message contains only the documented headers and no gateway credentials', async () => {
    await gw.createWebhook(`${receiver.url}/bare`);
    await gw.publish({ type: 'key_revoked', data: DATA });
    await until(() => receiver.at('/bare').length === 1);
    expect(Object.keys(receiver.at('/bare')[0]!.headers).sort()).toEqual([
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
  });

  test('every attempt sends the same bytes and ID with its own timestamp and signature', async () => {
    const webhook = await gw.createWebhook(`${receiver.url}/again`);
    receiver.on('/again', status(500));
    await gw.publish({ type: 'key_expired', data: { b: 1, a: [null, 1.5, ''], nested: { z: 0, y: false } } });
    await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
    receiver.on('/again', status(200));
    await gw.dueNow(webhook.id);
    await gw.newest(webhook.id, ({ status }) => status === 'delivered');
    const [first, second, ...more] = receiver.at('/again');
    expect(more).toEqual([]);
    expect([second!.text, second!.headers['webhook-id']]).toEqual([first!.text, first!.headers['webhook-id']]);
    expect([isSigned(first!, webhook.secret), isSigned(second!, webhook.secret)]).toEqual([true, true]);
  });

  test('a message is sent to the path and query of the URL, without the fragment', async () => {
    const webhook = await gw.createWebhook(`${receiver.url}/deep/p%C3%A4th?token=abc&x=%20#part`);
    await gw.publish({ type: 'key_revoked', data: DATA });
    await gw.newest(webhook.id, ({ status }) => status === 'delivered');
    expect(receiver.at('/deep/p%C3%A4th?token=abc&x=%20')).toHaveLength(1);
  });
});

describe('responses', () => {
  test.each([200, 201, 202, 204, 299])('a response with status %i completes the delivery', async (code) => {
    const webhook = await gw.createWebhook(`${receiver.url}/ok-${code}`);
    receiver.on(`/ok-${code}`, status(code));
    await gw.publish({ type: 'key_revoked', data: DATA });
    const row = await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
    expect(row).toMatchObject({ status: 'delivered', response_status: code, next_attempt_at: null });
  });

  test.each([300, 304, 400, 404, 410, 429, 500, 503])(
    'a response with status %i is a failure that is retried after 10 s',
    async (code) => {
      const webhook = await gw.createWebhook(`${receiver.url}/no-${code}`);
      receiver.on(`/no-${code}`, status(code, code === 304 ? '' : 'not now'));
      await gw.publish({ type: 'key_revoked', data: DATA });
      const row = await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
      expect(row).toMatchObject({ status: 'pending', response_status: code });
      expect(row.response_excerpt).toBe(code === 304 ? '' : 'not now');
      const pauseMs = Date.parse(row.next_attempt_at!) - Date.parse(row.created_at);
      expect(pauseMs).toBeGreaterThanOrEqual(10_000);
      expect(pauseMs).toBeLessThan(16_000);
      expect(receiver.at(`/no-${code}`)).toHaveLength(1);
    },
  );

  test('a redirect is a failure and is not followed', async () => {
    const webhook = await gw.createWebhook(`${receiver.url}/moved`);
    const moved: Response = (_received, response) =>
      void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
    receiver.on('/moved', moved);
    await gw.publish({ type: 'key_revoked', data: DATA });
    const row = await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
    expect(row).toMatchObject({ status: 'pending', response_status: 307 });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  test.each<[string, Response, string]>([
    ['long text is truncated', status(500, 'x'.repeat(100_000)), 'x'.repeat(500)],
    ['control characters are replaced with spaces', status(500, 'a\0b\r\n\tc\u0085\x1b[31md'), 'a b c [31md'],
    [
      'bytes that are not valid UTF-8 become replacement characters',
      (_, to) => void to.writeHead(500).end(Buffer.from([0xff, 0x41])),
      '\ufffdA',
    ],
    [
      'a surrogate pair that is cut in two becomes a replacement character',
      status(500, `${'x'.repeat(499)}👋`),
      `${'x'.repeat(499)}\ufffd`,
    ],
  ])('%s in the response excerpt', async (name, response, excerpt) => {
    const path = `/${name.replaceAll(' ', '-')}`;
    const webhook = await gw.createWebhook(receiver.url + path);
    receiver.on(path, response);
    await gw.publish({ type: 'key_revoked', data: DATA });
    expect((await gw.newest(webhook.id, ({ attempts }) => attempts === 1)).response_excerpt).toBe(excerpt);
  });

  test("the webhook's secret is redacted from the response excerpt", async () => {
    const webhook = await gw.createWebhook(`${receiver.url}/echo`);
    receiver.on('/echo', status(400, `wrong: ${webhook.secret}!`));
    await gw.publish({ type: 'key_revoked', data: DATA });
    const row = await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
    expect(row.response_excerpt).toBe('wrong: [redacted]!');
  });

  test.each([
    ['nobody listens', () => {}, '[no response: the connection was refused]'],
    ['the receiver closes the connection early', (socket: { destroy(): void }) => socket.destroy(), BROKEN],
    [
      'the receiver does not speak HTTP',
      (socket: { end(text: string): void }) => socket.end('SSH-2.0-none\r\n'),
      BROKEN,
    ],
  ])('a delivery without a response stores the reason: %s', async (name, handler, excerpt) => {
    const raw = await rawReceiver(handler);
    if (name === 'nobody listens') await raw.stop();
    const webhook = await gw.createWebhook(`http://127.0.0.1:${raw.port}/`);
    await gw.publish({ type: 'key_revoked', data: DATA });
    const row = await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
    expect(row).toMatchObject({ status: 'pending', response_status: null, response_excerpt: excerpt });
    await raw.stop().catch(() => undefined);
  });
});

describe('failing deliveries', () => {
  const failOnce = async (path: string) => {
    const webhook = await gw.createWebhook(receiver.url + path);
    receiver.on(path, status(500, 'down'));
    await gw.publish({ type: 'key_revoked', data: DATA });
    return { webhook, row: await gw.newest(webhook.id, ({ attempts }) => attempts === 1) };
  };

  test('a failing delivery is retried after growing pauses', async () => {
    const { webhook } = await failOnce('/growing');
    for (let attempt = 2; attempt <= 4; attempt++) {
      await gw.dueNow(webhook.id);
      await gw.newest(webhook.id, ({ attempts }) => attempts === attempt);
    }
    const [{ seconds }] = (await gw.query<{ seconds: number }>(
      'select extract(epoch from next_attempt_at - now())::float8 as seconds from webhook_deliveries where webhook_id = $1',
      [webhook.id],
    )) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(260);
    expect(seconds).toBeLessThan(300);
  });

  test('a delivery that has failed for a day is not retried, and its webhook stays enabled', async () => {
    const { webhook, row } = await failOnce('/parked');
    await gw.set(webhook.id, `round_attempts = 10, round_began_at = now() - interval '23 hours'`);
    await gw.dueNow(webhook.id);
    const deadLettered = await gw.newest(webhook.id, ({ status }) => status === 'failed');
    expect(deadLettered).toMatchObject({ id: row.id, attempts: 2, response_status: 500, response_excerpt: 'down' });
    expect(deadLettered.next_attempt_at).toBeNull();
    expect((await gw.webhook(webhook.id)).enabled).toBe(true);
  });

  test('an operator can retry a failed delivery, with a new series of attempts', async () => {
    const { webhook, row } = await failOnce('/revived');
    await gw.set(
      webhook.id,
      `status = 'failed', next_attempt_at = null, round_attempts = 11, round_began_at = now() - interval '3 days'`,
    );
    const response = await gw.webhooks('POST', `/${webhook.id}/deliveries/${row.id}/retry`);
    expect([response.status, response.body.id, response.body.status]).toEqual([202, row.id, 'pending']);
    const again = await gw.newest(webhook.id, ({ attempts }) => attempts === 2);
    expect(again.status).toBe('pending');
    receiver.on('/revived', status(200));
    expect((await gw.webhooks('POST', `/${webhook.id}/deliveries/${row.id}/retry`)).status).toBe(202);
    await gw.newest(webhook.id, ({ status, attempts }) => status === 'delivered' && attempts === 3);
    expect((await gw.webhooks('POST', `/${webhook.id}/deliveries/${row.id}/retry`)).status).toBe(404);
    expect(receiver.at('/revived')).toHaveLength(3);
  });
});

test('hanging receivers get at most two messages at a time and do not delay others', async () => {
  const hanging = [];
  for (let i = 0; i < 10; i++) hanging.push(await gw.createWebhook(`${receiver.url}/hanging`));
  const open: (() => void)[] = [];
  receiver.on('/hanging', (_received, response) => void open.push(() => response.end()));
  await gw.publishMany(4);
  await until(() => open.length === 20);
  const well = await gw.createWebhook(`${receiver.url}/well`);
  await gw.publishMany(20);
  await until(async () => (await gw.deliveries(well.id, '?status=delivered')).length === 20);
  expect(open).toHaveLength(20);
  receiver.on('/hanging', status(200));
  for (const end of open) end();
  await until(() => receiver.at('/hanging').length === 10 * 24);
  for (const { id } of hanging) await until(async () => (await gw.deliveries(id, '?status=delivered')).length === 24);
  expect(new Set(receiver.at('/hanging').map(({ body }) => body.id)).size).toBe(24);
  expect(receiver.at('/hanging')).toHaveLength(10 * 24);
});

test('an unfinished delivery is sent again only after its lease expires', async () => {
  const webhook = await gw.createWebhook(`${receiver.url}/leased`);
  await gw.publish({ type: 'key_revoked', data: DATA });
  await gw.newest(webhook.id, ({ status }) => status === 'delivered');
  const before = receiver.at('/leased').length;
  await gw.set(
    webhook.id,
    `status = 'pending', next_attempt_at = now(), lease = gen_random_uuid(), leased_until = now() + interval '1 minute'`,
  );
  const other = await gw.createWebhook(`${receiver.url}/unrelated`);
  await gw.publish({ type: 'key_rotated', data: DATA });
  await gw.newest(other.id, ({ status }) => status === 'delivered');
  expect(receiver.at('/leased').filter(({ body }) => body.type === 'key_revoked')).toHaveLength(before);
  await gw.set(webhook.id, `leased_until = now() - interval '1 second'`);
  await until(() => receiver.at('/leased').filter(({ body }) => body.type === 'key_revoked').length === before + 1);
});
