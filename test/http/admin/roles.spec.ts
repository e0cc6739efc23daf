import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { declaredRoutes, type DeclaredRoute } from '../../../src/routes/declared-routes.js';
import { ADMIN_KEY, TestGateway, type Key } from '../../support/gateway.js';
import { callPlainly, OperatorSession, type Role } from '../../support/operator-session.js';
import { refusalIn } from '../../support/answers.js';
import { Wire } from '../../support/wire.js';

const NOBODY = '401 missing_api_key';
const WRONG_KEY = '401 invalid_api_key';
const FORBIDDEN = '403 forbidden';
/** Whatever became of a call that the guards let through. */
const LET_THROUGH = 'let through';

let gateway: TestGateway;
let routes: readonly DeclaredRoute[];
let key: Key;
let sessions: Readonly<Record<Role | 'disabled' | 'expired' | 'ended', OperatorSession>>;
beforeAll(async () => {
  gateway = await TestGateway.start();
  routes = declaredRoutes(gateway.app).filter(({ path }) => path.startsWith('/admin/'));
  key = await gateway.createKey();
  const open = (role: Role) => OperatorSession.of(gateway, role);
  sessions = {
    ...{ viewer: await open('viewer'), admin: await open('admin'), owner: await open('owner') },
    ...{ disabled: await open('owner'), expired: await open('owner'), ended: await open('owner') },
  };
  await gateway.admin('PATCH', `/admin/operators/${sessions.disabled.operator.id}`, { disabled: true });
  await sessions.ended.call('DELETE', '/dashboard/session');
  await gateway.app
    .get(DataSource)
    .query('update operator_sessions set expires_at = now() where operator_id = $1', [sessions.expired.operator.id]);
});
afterAll(() => gateway.stop());

/** What a viewer may do beside reading (D33): marks and sessions of one's own. */
const VIEWERS_OWN = [
  'POST /admin/notifications/:id/read',
  'POST /admin/notifications/read-all',
  'DELETE /admin/sessions/:id',
];

/** By the words of D33 alone, not by what the routes declare. */
function mayCall(role: Role, { method, path }: DeclaredRoute): boolean {
  if (role === 'owner') return true;
  if (path === '/admin/operators' || path.startsWith('/admin/operators/')) return false;
  return role === 'admin' || method === 'GET' || VIEWERS_OWN.includes(`${method} ${path}`);
}

/** An address of this route: of nothing that is there. */
function addressOf({ path, spec }: DeclaredRoute): string {
  const end = spec?.kind === 'admin' ? (spec.pathEnd ?? '') : '';
  return path.replace(/\*$/, `no-such-model${end}`).replace(/:\w+/g, () => randomUUID());
}

const nameOf = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

/** What each route answers to this caller, in a word; body and query are right for none of them. */
async function answersTo(headers: Record<string, string>): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const route of routes) {
    const answer = await callPlainly(gateway, route.method, addressOf(route), { headers });
    answers[nameOf(route)] = [401, 403, 429].includes(answer.status) ? refusalIn(answer) : LET_THROUGH;
    if (answer.status >= 500) answers[nameOf(route)] = refusalIn(answer);
  }
  return answers;
}

const expectedOf = (answer: (route: DeclaredRoute) => string) =>
  Object.fromEntries(routes.map((route) => [nameOf(route), answer(route)]));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const withCookie = ({ cookie }: OperatorSession) => ({ cookie });
const withBoth = ({ cookie, csrfToken }: OperatorSession) => ({ cookie, 'x-csrf-token': csrfToken });

test('every role is asked about every route of the Admin API', () => {
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.map(nameOf)).toEqual(expect.arrayContaining(['DELETE /admin/operators/:id', ...VIEWERS_OWN.slice(2)]));
  expect(routes.filter(({ spec }) => spec?.kind !== 'admin').map(nameOf)).toEqual([]);
});

describe('every route of the Admin API', () => {
  test('is closed without a credential', async () => {
    expect(await answersTo({})).toEqual(expectedOf(() => NOBODY));
  });

  test('is closed to a wrong admin key and to an API key, also beside the cookie of an owner', async () => {
    for (const token of [`${ADMIN_KEY}x`, key.key])
      for (const beside of [{}, withBoth(sessions.owner)])
        expect(await answersTo({ ...bearer(token), ...beside })).toEqual(expectedOf(() => WRONG_KEY));
  });

  test('is closed to a session that is made up, ended, expired or of a disabled operator', async () => {
    const madeUp = { cookie: `gw_admin_session=${'A'.repeat(43)}`, 'x-csrf-token': sessions.owner.csrfToken };
    expect(await answersTo(madeUp)).toEqual(expectedOf(() => NOBODY));
    for (const name of ['ended', 'expired', 'disabled'] as const)
      expect([name, await answersTo(withBoth(sessions[name]))]).toEqual([name, expectedOf(() => NOBODY)]);
  });

  test('is open to the admin key', async () => {
    expect(await answersTo(bearer(ADMIN_KEY))).toEqual(expectedOf(() => LET_THROUGH));
  });

  test.each(['viewer', 'admin', 'owner'] as const)('is open to a session of role %s as D33 says', async (role) => {
    expect(await answersTo(withBoth(sessions[role]))).toEqual(
      expectedOf((route) => (mayCall(role, route) ? LET_THROUGH : FORBIDDEN)),
    );
  });

  test('that is not GET is closed to a session without its CSRF token, an owner’s too', async () => {
    const expected = expectedOf(({ method }) => (method === 'GET' ? LET_THROUGH : FORBIDDEN));
    const { csrfToken } = sessions.viewer;
    expect(await answersTo(withCookie(sessions.owner))).toEqual(expected);
    expect(await answersTo({ ...withCookie(sessions.owner), 'x-csrf-token': csrfToken })).toEqual(expected);
  });
});

test('who may not call is told so before a byte of the body is read', async () => {
  const { viewer, owner } = sessions;
  for (const headers of [
    [`cookie: ${viewer.cookie}`, `x-csrf-token: ${viewer.csrfToken}`],
    [`cookie: ${owner.cookie}`],
    ['cookie: gw_admin_session=unknown'],
  ]) {
    const head = ['POST /admin/api-keys HTTP/1.1', 'host: x', ...headers, 'content-length: 900000', '', ''];
    const { status } = await Wire.once(gateway.port, head.join('\r\n'));
    expect([headers[0], [401, 403].includes(status)]).toEqual([headers[0], true]);
  }
});

test('what an operator does is written down as theirs, with request and address', async () => {
  const { admin } = sessions;
  const made = await admin.call<{ id: string }>('POST', '/admin/api-keys', { name: 'by an operator' });
  expect(made.status).toBe(201);
  const rows = await gateway.app
    .get(DataSource)
    .query<object[]>(`select actor_type, metadata from audit_logs where target_id = $1`, [made.body.id]);
  expect(rows).toEqual([
    {
      actor_type: 'operator',
      metadata: expect.objectContaining({
        actor_id: admin.operator.id,
        request_id: made.headers.get('x-request-id'),
        ip: '127.0.0.1',
      }) as unknown,
    },
  ]);
});
