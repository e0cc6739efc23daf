import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway, type Response } from '../support/gateway.js';
import { createOperator, OperatorSession } from '../support/operator-session.js';
import { errorCodeIn } from '../support/responses.js';

interface Row {
  readonly id: string;
  readonly operator_id: string;
  readonly current: boolean;
}
interface List {
  readonly total: number;
  readonly has_more: boolean;
  readonly sessions: readonly Row[];
}

let gateway: TestGateway;
let email: string;
let operatorId: string;
/** `first` and `second` belong to the same viewer. */
let first: OperatorSession;
let second: OperatorSession;
let stranger: OperatorSession;
let owner: OperatorSession;
beforeAll(async () => {
  gateway = await TestGateway.start();
  ({ email, id: operatorId } = await createOperator(gateway, 'viewer'));
  first = await OperatorSession.open(gateway, email);
  second = await OperatorSession.open(gateway, email);
  stranger = await OperatorSession.of(gateway, 'viewer');
  owner = await OperatorSession.of(gateway, 'owner');
});
afterAll(() => gateway.stop());

const list = (session: OperatorSession, query = '') => session.call<List>('GET', `/admin/sessions${query}`);
const idsOf = ({ body }: Response<List>) => body.sessions.map(({ id }) => id);
const currentOf = async (session: OperatorSession) =>
  (await list(session)).body.sessions.find(({ current }) => current)!.id;

test('a viewer sees only their own sessions, newest first, with the current one marked', async () => {
  const { status, body } = await list(second);
  expect([status, body]).toEqual([
    200,
    {
      total: 2,
      has_more: false,
      sessions: [true, false].map((current) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        operator_id: operatorId,
        created_at: expect.stringMatching(/Z$/),
        last_seen_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
        ip: '127.0.0.1',
        user_agent: 'node',
        current,
      })),
    },
  ]);
  expect((await list(first)).body.sessions.map(({ current }) => current)).toEqual([false, true]);
});

test('an owner and the admin key see all sessions', async () => {
  const all = await list(owner);
  expect([all.body.total, all.body.sessions.filter(({ current }) => current).length]).toEqual([4, 1]);
  const byKey = await gateway.admin<List>('GET', '/admin/sessions');
  expect([byKey.body.total, byKey.body.sessions.filter(({ current }) => current).length]).toEqual([4, 0]);
});

test('sessions can be filtered by operator, within what the caller can see', async () => {
  const of = async (session: OperatorSession, id: string) => (await list(session, `?operator_id=${id}`)).body.total;
  expect(await of(owner, operatorId)).toBe(2);
  expect(await of(owner, operatorId.toUpperCase())).toBe(2);
  expect(await of(owner, stranger.operator.id)).toBe(1);
  expect(await of(owner, randomUUID())).toBe(0);
  expect(await of(first, operatorId)).toBe(2);
  expect(await of(first, owner.operator.id)).toBe(0);
  expect(errorCodeIn(await list(owner, '?operator_id=x'))).toBe('400 validation_error operator_id');
});

test('operators end their other sessions, and owners those of any operator', async () => {
  const own = await createOperator(gateway, 'viewer');
  const open = () => OperatorSession.open(gateway, own.email);
  const end = (session: OperatorSession, query = '') => session.call('DELETE', `/admin/sessions${query}`);
  const [kept, other] = [await open(), await open()];
  const response = await end(kept);
  expect([response.status, response.body]).toEqual([200, { operator_id: own.id, ended: 1 }]);
  expect([(await list(kept)).status, (await list(other)).status]).toEqual([200, 401]);
  for (const id of [owner.operator.id, randomUUID()])
    expect(errorCodeIn(await end(kept, `?operator_id=${id}`))).toBe('404 not_found');
  expect((await end(owner, `?operator_id=${own.id}`)).body).toEqual({ operator_id: own.id, ended: 1 });
  expect((await list(kept)).status).toBe(401);
  expect(errorCodeIn(await end(owner, `?operator_id=${randomUUID()}`))).toBe('404 not_found');
  await open();
  const byKey = (query: string) => gateway.admin('DELETE', `/admin/sessions${query}`);
  expect(errorCodeIn(await byKey(''))).toBe('400 validation_error operator_id');
  expect((await byKey(`?operator_id=${own.id}`)).body).toEqual({ operator_id: own.id, ended: 1 });
  expect((await list(owner)).status).toBe(200);
});

test('pages through sessions and rejects invalid queries', async () => {
  const all = idsOf(await list(owner));
  for (const [offset, more] of [
    [0, true],
    [2, true],
    [3, false],
  ] as const) {
    const page = await list(owner, `?limit=1&offset=${offset}`);
    expect([idsOf(page), page.body.total, page.body.has_more]).toEqual([[all[offset]], 4, more]);
  }
  for (const query of ['limit=0', 'limit=501', 'offset=-1', 'colour=red'])
    expect(errorCodeIn(await list(owner, `?${query}`))).toMatch(/^400 validation_error (limit|offset|colour)$/);
});

test('a viewer receives 404 for the session of another operator, as for an unknown one', async () => {
  const id = await currentOf(stranger);
  const end = (one: string) => first.call('DELETE', `/admin/sessions/${one}`);
  for (const one of [id, randomUUID(), 'x', '%00']) expect(errorCodeIn(await end(one))).toBe('404 not_found');
  expect((await list(stranger)).status).toBe(200);
});

test('operators can end their own sessions, and owners any session, which is audited', async () => {
  const ends: [OperatorSession, (path: string) => Promise<Response>, string][] = [
    [await OperatorSession.open(gateway, email), (path) => first.call('DELETE', path), 'operator'],
    [await OperatorSession.open(gateway, email), (path) => owner.call('DELETE', path), 'operator'],
    [await OperatorSession.open(gateway, email), (path) => gateway.admin('DELETE', path), 'admin_key'],
  ];
  for (const [session, end, actor] of ends) {
    const id = await currentOf(session);
    const response = await end(`/admin/sessions/${id}`);
    expect([response.status, response.body]).toEqual([200, { id, deleted: true }]);
    expect(errorCodeIn(await list(session))).toBe('401 missing_api_key');
    expect(errorCodeIn(await end(`/admin/sessions/${id}`))).toBe('404 not_found');
    const rows = await gateway.app
      .get(DataSource)
      .query<object[]>(`select actor_type from audit_logs where action = 'admin.session_revoked' and target_id = $1`, [
        id,
      ]);
    expect(rows).toEqual([{ actor_type: actor }]);
  }
});

test('the session list contains no token and no hash', async () => {
  const another = await OperatorSession.open(gateway, owner.operator.email);
  const { text } = await list(owner);
  await another.call('DELETE', '/dashboard/session');
  for (const secret of [first.token, another.token, another.csrfToken, owner.token, owner.csrfToken])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/hash|token/);
});
