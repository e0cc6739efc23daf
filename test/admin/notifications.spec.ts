import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAILY_EVENT_TYPES } from '../../src/audit/events/event-type.data.js';
import { NotificationsService } from '../../src/audit/events/notifications.service.js';
import type { AdminActor } from '../../src/platform/request-context/caller-session.js';
import { declaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { WebhookGateway } from '../support/webhook-gateway.js';
import { errorCodeIn } from '../support/responses.js';

const PATH = '/admin/notifications';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

interface Row {
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly read_at: string | null;
  readonly created_at: string;
}
interface Page {
  readonly total: number;
  readonly has_more: boolean;
  readonly notifications: Row[];
}

let gw: WebhookGateway;
beforeAll(async () => {
  gw = await WebhookGateway.start();
});
afterAll(() => gw.stop());
beforeEach(() => gw.query('delete from notifications'));

const list = async (query = '') => (await gw.gateway.admin<Page>('GET', PATH + query)).body;
const post = <T = Row>(path: string, body?: unknown) => gw.gateway.admin<T>('POST', PATH + path, body);
const read = (id: string) => post(`/${id}/read`);
async function createNotifications(count: number): Promise<Row[]> {
  for (let n = 0; n < count; n++) await gw.publish({ type: 'key_expired', data: { n } });
  return (await list()).notifications;
}

test('the notification list has only the events of the daily job, newest first, with every field', async () => {
  for (const [n, type] of DAILY_EVENT_TYPES.entries()) {
    await gw.publish({ type, data: { key_id: 'x', type } });
    // Spreads the timestamps, because several events are created within a millisecond.
    await gw.query('update notifications set created_at = created_at + make_interval(secs => $1) where type = $2', [
      n,
      type,
    ]);
  }
  await gw.publish({ type: 'key_revoked', data: {} });
  const types = DAILY_EVENT_TYPES.toReversed();
  expect(await list()).toEqual({
    total: 6,
    has_more: false,
    notifications: types.map((type) => ({
      id: UUID,
      type,
      data: { key_id: 'x', type },
      read_at: null,
      created_at: TIME,
    })),
  });
});

test('the list is empty without events', async () => {
  const none = { total: 0, has_more: false, notifications: [] };
  for (const query of ['', '?unread=true', '?unread=false']) expect(await list(query)).toEqual(none);
});

test('a notification keeps its first read_at when it is marked as read again', async () => {
  const [newest, older] = (await createNotifications(2)) as [Row, Row];
  const marked = await read(older.id);
  expect([marked.status, marked.body]).toEqual([200, { ...older, read_at: TIME }]);
  expect((await read(older.id)).body).toEqual(marked.body);
  expect(await list()).toEqual({ total: 2, has_more: false, notifications: [newest, marked.body] });
});

test('read and unread notifications can be paged separately', async () => {
  const rows = await createNotifications(5);
  for (const n of [1, 3]) await read(rows[n]!.id);
  const page = async (query: string) => {
    const { total, has_more, notifications } = await list(query);
    return [total, has_more, notifications.map(({ id }) => rows.findIndex((row) => row.id === id))];
  };
  expect(await page('?unread=true')).toEqual([3, false, [0, 2, 4]]);
  expect(await page('?unread=true&limit=2')).toEqual([3, true, [0, 2]]);
  expect(await page('?unread=true&limit=2&offset=2')).toEqual([3, false, [4]]);
  expect(await page('?unread=false')).toEqual([2, false, [1, 3]]);
  expect(await page('?unread=false&limit=1')).toEqual([2, true, [1]]);
  expect(await page('?limit=3')).toEqual([5, true, [0, 1, 2]]);
  expect(await page('?offset=2147483647')).toEqual([5, false, []]);
});

test('read-all marks only the notifications that are still unread, and later ones stay unread', async () => {
  const [first] = await createNotifications(3);
  const { read_at } = (await read(first!.id)).body;
  expect((await post('/read-all')).body).toEqual({ read: 2 });
  expect((await post('/read-all')).status).toBe(200);
  expect((await post('/read-all')).body).toEqual({ read: 0 });
  expect(await list('?unread=true')).toMatchObject({ total: 0 });
  expect((await list()).notifications.find(({ id }) => id === first!.id)!.read_at).toBe(read_at);
  await createNotifications(1);
  expect(await list('?unread=true')).toMatchObject({ total: 1 });
});

test('read-all marks more than 10,000 notifications', async () => {
  await gw.query(
    `insert into notifications (id, type, created_at, data)
     select gen_random_uuid(), 'key_expired', now(), '{}' from generate_series(1, 10001)`,
  );
  expect((await post('/read-all')).body).toEqual({ read: 10_001 });
  expect(await list('?unread=true')).toMatchObject({ total: 0 });
});

test('each operator and the admin key have their own read marks', async () => {
  const rows = await createNotifications(2);
  const service = gw.gateway.app.get(NotificationsService);
  const [ann, ben] = [randomUUID(), randomUUID()].map((id): AdminActor => ({
    type: 'operator',
    id,
    requestId: null,
    ip: null,
  }));
  const unreadOf = async (actor: AdminActor) => (await service.list(actor, true, { limit: 10, offset: 0 })).total;
  await service.markRead(ann!, rows[0]!.id);
  expect([await unreadOf(ann!), await unreadOf(ben!), (await list('?unread=true')).total]).toEqual([1, 2, 2]);
  await post('/read-all');
  expect([await unreadOf(ann!), await unreadOf(ben!), (await list('?unread=true')).total]).toEqual([1, 2, 0]);
  expect(await service.markAllRead(ben!)).toBe(2);
  expect([await unreadOf(ann!), await unreadOf(ben!)]).toEqual([1, 0]);
});

test('deleting a notification deletes its read marks', async () => {
  const [row] = await createNotifications(2);
  await post('/read-all');
  await gw.query('delete from notifications where id = $1', [row!.id]);
  expect((await list('?unread=false')).total).toBe(1);
  expect((await list('?unread=true')).total).toBe(0);
});

describe('invalid notification request', () => {
  test.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'offset=-1',
    'unread=yes',
    'unread=',
    'unread=1',
    'colour=red',
    'unread=true&unread=true',
  ])('GET ?%s is rejected', async (query) => {
    expect(errorCodeIn(await gw.gateway.admin('GET', `${PATH}?${query}`))).toBe(
      `400 validation_error ${/^\w+/.exec(query)![0]}`,
    );
  });

  test('a body field is rejected and nothing is marked as read', async () => {
    const [row] = await createNotifications(1);
    for (const path of ['/read-all', `/${row!.id}/read`])
      expect(errorCodeIn(await post(path, { read: true }))).toBe('400 validation_error read');
    expect((await list('?unread=true')).total).toBe(1);
  });

  test.each(['x', '0', randomUUID(), 'read-all'])('marking the unknown ID %s as read returns 404', async (id) => {
    expect(errorCodeIn(await read(id))).toBe('404 not_found');
  });
});

test('every notification route requires a credential and the viewer role', async () => {
  const routes = declaredRoutes(gw.gateway.app).filter(({ path }) => path.startsWith(PATH));
  const roles = routes.map(({ method, path, spec }) => [`${method} ${path}`, spec?.kind === 'admin' && spec.role]);
  expect(Object.fromEntries(roles)).toEqual({
    [`GET ${PATH}`]: 'viewer',
    [`POST ${PATH}/read-all`]: 'viewer',
    [`POST ${PATH}/:id/read`]: 'viewer',
  });
  for (const { method, path } of routes)
    expect(errorCodeIn(await gw.gateway.call(method, path.replace(':id', randomUUID())))).toBe('401 missing_api_key');
});
