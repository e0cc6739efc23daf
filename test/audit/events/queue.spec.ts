import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Transactions, type Transaction } from '../../../src/platform/database/transactions.js';
import { EVENT_TYPES, NOTIFYING_EVENT_TYPES } from '../../../src/audit/events/event-type.data.js';
import { Outbox } from '../../../src/audit/events/outbox.js';
import { until } from '../../support/until.js';
import { Receiver } from '../../support/webhook-receiver.js';
import { WebhookGateway } from '../../support/webhook-gateway.js';

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

const transaction = <T>(work: (transaction: Transaction, outbox: Outbox) => Promise<T>): Promise<T> =>
  gw.gateway.app.get(Transactions).run((open) => work(open, gw.gateway.app.get(Outbox)));

async function rowsOf(keyId: string) {
  const events = await gw.query<{ id: string; type: string; data: unknown; created_at: Date }>(
    `select * from events where data->>'key_id' = $1 order by created_at`,
    [keyId],
  );
  const ids = events.map(({ id }) => id);
  const notifications = await gw.query('select * from notifications where id = any($1)', [ids]);
  const deliveries = await gw.query('select * from webhook_deliveries where event_id = any($1)', [ids]);
  return { events, notifications, deliveries };
}

test('an event is rolled back together with its change', async () => {
  await gw.createWebhook(`${receiver.url}/rolled-back`);
  const keyId = randomUUID();
  const work = transaction(async (open, outbox) => {
    const once = { keyId, period: '2026-07' };
    expect(await outbox.publishAll(open, [{ type: 'key_expired', data: { key_id: keyId }, once }])).toEqual([true]);
    throw new Error('the change failed');
  });
  await expect(work).rejects.toThrow('the change failed');
  expect(await rowsOf(keyId)).toEqual({ events: [], notifications: [], deliveries: [] });
  expect(await gw.query('select 1 from event_once where key_id = $1', [keyId])).toEqual([]);
  await gw.publish({ type: 'key_revoked', data: {} });
  await until(() => receiver.at('/rolled-back').length > 0);
  expect(receiver.at('/rolled-back').map(({ body }) => body.type)).toEqual(['key_revoked']);
});

test.each(EVENT_TYPES)('%s creates a notification exactly if it is one of the notifying types', async (type) => {
  const keyId = randomUUID();
  await gw.publish({ type, data: { key_id: keyId } });
  const { events, notifications } = await rowsOf(keyId);
  expect(events).toHaveLength(1);
  const notifies = (NOTIFYING_EVENT_TYPES as readonly string[]).includes(type);
  const { id, data, created_at } = events[0]!;
  expect(notifications).toEqual(notifies ? [{ id, type, data, created_at }] : []);
});

describe('events that are sent once', () => {
  test('an event is not sent again for the same type, key and period', async () => {
    await gw.createWebhook(`${receiver.url}/once`);
    const [keyId, otherKey] = [randomUUID(), randomUUID()];
    const publish = (type: 'key_quota_warning' | 'key_quota_exceeded', of: string, period: string) =>
      gw.publish({ type, data: { key_id: of } }, { keyId: of, period });
    expect(await publish('key_quota_warning', keyId, '2026-07')).toBe(true);
    expect(await publish('key_quota_warning', keyId, '2026-07')).toBe(false);
    expect(await publish('key_quota_exceeded', keyId, '2026-07')).toBe(true);
    expect(await publish('key_quota_warning', keyId, '2026-08')).toBe(true);
    expect(await publish('key_quota_warning', otherKey, '2026-07')).toBe(true);
    const { events, notifications, deliveries } = await rowsOf(keyId);
    expect([events, notifications, deliveries].map((rows) => rows.length)).toEqual([3, 3, 3]);
  });

  test('concurrent publishers write an event once', async () => {
    const keyId = randomUUID();
    const write = () =>
      gw.publish({ type: 'key_expired', data: { key_id: keyId } }, { keyId, period: '2026-07-01T00:00:00.000Z' });
    const written = await Promise.all(Array.from({ length: 8 }, write));
    expect(written.filter(Boolean)).toEqual([true]);
    expect((await rowsOf(keyId)).events).toHaveLength(1);
  });

  test('an event can be written again after the first transaction was rolled back', async () => {
    const keyId = randomUUID();
    const [event, once] = [{ type: 'key_expired', data: { key_id: keyId } } as const, { keyId, period: 'x' }];
    const failed = transaction(async (open, outbox) => {
      await outbox.publishAll(open, [{ ...event, once }]);
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect(await gw.publish(event, once)).toBe(true);
  });
});

describe('publishAll', () => {
  test('publishAll returns for each event whether it was written', async () => {
    const webhook = await gw.createWebhook(`${receiver.url}/several`, { events: ['key_expired', 'key_revoked'] });
    const keyId = randomUUID();
    const [expired, data] = [{ keyId, period: '2026-07-01' }, { key_id: keyId }];
    await gw.publish({ type: 'key_expired', data }, expired);
    const written = await transaction((open, outbox) =>
      outbox.publishAll(open, [
        { type: 'key_revoked', data },
        { type: 'key_expired', data, once: expired },
        { type: 'key_expired', data, once: { keyId, period: '2026-08-01' } },
        { type: 'key_expired', data, once: { keyId, period: '2026-08-01' } },
        { type: 'key_rotated', data },
        { type: 'key_revoked', data },
      ]),
    );
    expect(written).toEqual([true, false, true, false, true, true]);
    const { events, notifications } = await rowsOf(keyId);
    expect([events.length, notifications.length]).toEqual([5, 2]);
    await until(async () => (await gw.deliveries(webhook.id, '?status=delivered')).length === 4);
  });

  test('publishAll accepts an empty list', async () => {
    expect(await transaction((open, outbox) => outbox.publishAll(open, []))).toEqual([]);
  });

  test('publishAll accepts 500 events with 100 webhooks that are not subscribed to them', async () => {
    await gw.query(
      `insert into webhooks (id, url, events, secret, enabled, created_at, updated_at)
       select gen_random_uuid(), 'http://127.0.0.1:1/', '{key_rotated}', '', true, now(), now() from generate_series(1, 100)`,
    );
    const events = Array.from({ length: 500 }, (_, n) => ({ type: 'key_revoked' as const, data: { n } }));
    const written = await transaction((open, outbox) => outbox.publishAll(open, events));
    expect(new Set(written)).toEqual(new Set([true]));
  });
});

test('the data of an event is delivered unchanged, including unusual text and numbers', async () => {
  const webhook = await gw.createWebhook(`${receiver.url}/data`);
  const data = {
    key_name: 'a"b\\c\u2028 👋',
    empty: '',
    zero: 0,
    no: false,
    nothing: null,
    list: [1, [2]],
    big: 2 ** 53 - 1,
  };
  await gw.publish({ type: 'key_revoked', data });
  await gw.newest(webhook.id, ({ status }) => status === 'delivered');
  expect(receiver.at('/data')[0]!.body.data).toEqual(data);
});
