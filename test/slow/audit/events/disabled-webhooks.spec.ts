import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../support/until.js';
import { Receiver, status } from '../../../support/webhook-receiver.js';
import { WebhookGateway } from '../../../support/webhook-gateway.js';

const DATA = { key_id: '0d7a8f5e-7d3b-4c55-9a3f-2b1c6e4f8a90' };
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

async function failing(path: string) {
  const webhook = await gw.createWebhook(`${receiver.url}${path}?token=hidden`);
  receiver.on(`${path}?token=hidden`, status(500));
  await gw.publish({ type: 'key_revoked', data: DATA });
  await gw.newest(webhook.id, ({ attempts }) => attempts === 1);
  return webhook;
}
const failingSince = (id: string, since: string) =>
  gw.query(`update webhooks set failing_since = now() - interval '${since}' where id = $1`, [id]);
const nextAttempt = async (id: string) => {
  const before = (await gw.deliveries(id))[0]!.attempts;
  await gw.dueNow(id);
  return gw.newest(id, ({ attempts }) => attempts === before + 1);
};
const notificationsOf = (id: string) =>
  gw.query<{ data: object }>(
    `select data from notifications where type = 'webhook_disabled' and data->>'webhook_id' = $1`,
    [id],
  );

describe('webhooks whose deliveries all fail', () => {
  test('a webhook that fails for three days is disabled, audited, and reported as a notification', async () => {
    const everything = await gw.createWebhook(`${receiver.url}/everything`);
    const webhook = await failing('/dead');
    await gw.publish({ type: 'key_rotated', data: DATA });
    await until(async () => (await gw.deliveries(webhook.id)).every(({ attempts }) => attempts === 1));
    await failingSince(webhook.id, '3 days');
    await gw.query(
      `update webhook_deliveries set next_attempt_at = now() - interval '1 second'
        where id = (select id from webhook_deliveries where webhook_id = $1 limit 1)`,
      [webhook.id],
    );
    await until(async () => !(await gw.webhook(webhook.id)).enabled);
    const off = await gw.webhook(webhook.id);
    expect(off).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(Date.parse(off.updated_at)).toBeGreaterThan(Date.parse(webhook.updated_at));
    expect((await gw.deliveries(webhook.id)).map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual([
      ['failed', null],
      ['failed', null],
    ]);
    const [, updated, ...more] = await gw.audited(webhook.id);
    expect(more).toEqual([]);
    expect(updated).toMatchObject({ action: 'webhook.updated', actor_type: 'system', target_id: webhook.id });
    expect(updated!.metadata).toEqual({
      changes: { enabled: { old: true, new: false }, disabled_reason: { old: null, new: 'failing' } },
      actor_id: null,
      request_id: null,
      ip: null,
    });
    const url = `${receiver.url}/…`;
    expect(await notificationsOf(webhook.id)).toEqual([{ data: { webhook_id: webhook.id, url, reason: 'failing' } }]);
    await gw.newest(everything.id, ({ status }) => status === 'delivered');
    expect(new Set(receiver.at('/everything').map(({ body }) => body.type))).toEqual(
      new Set(['key_revoked', 'key_rotated']),
    );
  });

  test('a webhook that has failed for less than three days stays enabled', async () => {
    const webhook = await failing('/young');
    await failingSince(webhook.id, '2 days 23 hours 59 minutes');
    expect(await nextAttempt(webhook.id)).toMatchObject({ status: 'pending', response_status: 500 });
    expect(await gw.webhook(webhook.id)).toMatchObject({ enabled: true, disabled_reason: null });
    expect(await notificationsOf(webhook.id)).toEqual([]);
  });

  test('a successful delivery restarts the three days', async () => {
    const webhook = await failing('/recovered');
    await failingSince(webhook.id, '4 days');
    receiver.on('/recovered?token=hidden', status(200));
    expect((await nextAttempt(webhook.id)).status).toBe('delivered');
    receiver.on('/recovered?token=hidden', status(500));
    await gw.publish({ type: 'key_rotated', data: DATA });
    await gw.newest(webhook.id, ({ type, attempts }) => type === 'key_rotated' && attempts === 1);
    expect((await gw.webhook(webhook.id)).enabled).toBe(true);
  });

  test.each<[string, object]>([
    ['enabling it', { enabled: true }],
    ['changing its URL', { url: 'http://127.0.0.1:1/' }],
  ])('%s restarts the three days of a webhook', async (_how, change) => {
    const webhook = await failing('/restarted');
    await failingSince(webhook.id, '4 days');
    if ('enabled' in change) await gw.webhooks('PATCH', `/${webhook.id}`, { enabled: false });
    expect((await gw.webhooks('PATCH', `/${webhook.id}`, change)).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
    });
    await gw.publish({ type: 'key_rotated', data: DATA });
    await gw.newest(webhook.id, ({ type, attempts }) => type === 'key_rotated' && attempts === 1);
    expect((await gw.webhook(webhook.id)).enabled).toBe(true);
  });

  test('enabling a webhook clears its disabled_reason', async () => {
    const webhook = await failing('/reason');
    await failingSince(webhook.id, '4 days');
    await gw.dueNow(webhook.id);
    await until(async () => (await gw.webhook(webhook.id)).disabled_reason === 'failing');
    const on = await gw.webhooks('PATCH', `/${webhook.id}`, { enabled: true });
    expect(on.body).toMatchObject({ enabled: true, disabled_reason: null });
    expect((await gw.audited(webhook.id)).at(-1)).toMatchObject({
      actor_type: 'admin_key',
      metadata: { changes: { enabled: { old: false, new: true }, disabled_reason: { old: 'failing', new: null } } },
    });
  });
});

describe('disabled webhooks', () => {
  test('a disabled webhook gets no new events, and its pending deliveries fail', async () => {
    const webhook = await failing('/off');
    const off = await gw.webhooks('PATCH', `/${webhook.id}`, { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, disabled_reason: null });
    const [deadLettered] = await gw.deliveries(webhook.id);
    expect(deadLettered).toMatchObject({ status: 'failed', next_attempt_at: null, attempts: 1, response_status: 500 });
    await gw.publish({ type: 'key_rotated', data: DATA });
    expect(await gw.deliveries(webhook.id)).toHaveLength(1);
  });

  test('a disabled webhook gets the tests and retries that an operator sends', async () => {
    const webhook = await failing('/by-hand');
    await gw.webhooks('PATCH', `/${webhook.id}`, { enabled: false });
    receiver.on('/by-hand?token=hidden', status(200));
    const [deadLettered] = await gw.deliveries(webhook.id);
    await gw.webhooks('POST', `/${webhook.id}/deliveries/${deadLettered!.id}/retry`);
    await gw.webhooks('POST', `/${webhook.id}/test`);
    await until(async () => (await gw.deliveries(webhook.id, '?status=delivered')).length === 2);
    expect((await gw.webhook(webhook.id)).enabled).toBe(false);
  });

  test('a delivery that is claimed after its webhook was disabled fails without an attempt', async () => {
    const webhook = await failing('/moment');
    await gw.query('update webhooks set enabled = false where id = $1', [webhook.id]);
    await gw.dueNow(webhook.id);
    const { attempts } = await gw.newest(webhook.id, ({ status }) => status === 'failed');
    expect(attempts).toBe(1);
  });
});

test('deleting a webhook deletes its deliveries, and listing them returns 404', async () => {
  const webhook = await failing('/deleted');
  expect((await gw.webhooks('DELETE', `/${webhook.id}`)).body).toEqual({ id: webhook.id, deleted: true });
  expect(await gw.query('select 1 from webhook_deliveries where webhook_id = $1', [webhook.id])).toEqual([]);
  expect((await gw.webhooks('GET', `/${webhook.id}/deliveries`)).status).toBe(404);
});
