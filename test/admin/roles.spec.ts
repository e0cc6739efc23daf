import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { declaredRoutes, type DeclaredRoute } from '../../src/platform/routes/declared-routes.js';
import { ADMIN_KEY, TestGateway, type Key } from '../support/gateway.js';
import { OperatorSession, type Role } from '../support/operator-session.js';
import { errorCodeIn } from '../support/responses.js';
import { requestHead, Wire } from '../support/wire.js';

const NOBODY = '401 missing_api_key';
const WRONG_KEY = '401 invalid_api_key';
const FORBIDDEN = '403 forbidden';
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
    viewer: await open('viewer'),
    admin: await open('admin'),
    owner: await open('owner'),
    disabled: await open('owner'),
    expired: await open('owner'),
    ended: await open('owner'),
  };
  await gateway.admin('PATCH', `/admin/operators/${sessions.disabled.operator.id}`, { disabled: true });
  await sessions.ended.call('DELETE', '/dashboard/session');
  await gateway.app
    .get(DataSource)
    .query('update operator_sessions set expires_at = now() where operator_id = $1', [sessions.expired.operator.id]);
});
afterAll(() => gateway.stop());

/** Changes that a viewer can make (D33): their own read marks and sessions. */
const VIEWERS_OWN = [
  'POST /admin/notifications/:id/read',
  'POST /admin/notifications/read-all',
  'DELETE /admin/sessions/:id',
  'DELETE /admin/sessions',
];

/** Follows the text of D33, independently of the roles that the routes declare. */
function mayCall(role: Role, { method, path }: DeclaredRoute): boolean {
  if (role === 'owner') return true;
  if (path === '/admin/operators' || path.startsWith('/admin/operators/')) return false;
  return role === 'admin' || method === 'GET' || VIEWERS_OWN.includes(`${method} ${path}`);
}

/** Returns a path of this route for a resource that does not exist. */
function addressOf({ path, spec }: DeclaredRoute): string {
  const end = spec?.kind === 'admin' ? (spec.pathEnd ?? '') : '';
  return path.replace(/\*$/, `no-such-model${end}`).replace(/:\w+/g, () => randomUUID());
}

const nameOf = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

/** Calls every route with these headers and without a body, and returns the outcome of each. */
async function outcomesFor(headers: Record<string, string>): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  // For a thousand requests, `fetch` takes more CPU time than the gateway.
  const wire = await Wire.open(gateway.port);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  for (const route of routes) {
    const length = route.method === 'GET' ? [] : ['content-length: 0'];
    wire.write(requestHead(route.method, addressOf(route), ...lines, ...length));
    const response = await wire.response();
    outcomes[nameOf(route)] = [401, 403, 429].includes(response.status) ? errorCodeIn(response) : LET_THROUGH;
    if (response.status >= 500) outcomes[nameOf(route)] = errorCodeIn(response);
  }
  wire.close();
  return outcomes;
}

const expectedOf = (response: (route: DeclaredRoute) => string) =>
  Object.fromEntries(routes.map((route) => [nameOf(route), response(route)]));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const withCookie = ({ cookie }: OperatorSession) => ({ cookie });
const withBoth = ({ cookie, csrfToken }: OperatorSession) => ({ cookie, 'x-csrf-token': csrfToken });

test('the tests cover every route under /admin, and each one is an admin route', () => {
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.map(nameOf)).toEqual(expect.arrayContaining(['DELETE /admin/operators/:id', ...VIEWERS_OWN.slice(2)]));
  expect(routes.filter(({ spec }) => spec?.kind !== 'admin').map(nameOf)).toEqual([]);
});

describe('access to the Admin API', () => {
  test('every route rejects a request without a credential', async () => {
    expect(await outcomesFor({})).toEqual(expectedOf(() => NOBODY));
  });

  test('every route rejects a wrong admin key and an API key, even with an owner session', async () => {
    for (const token of [`${ADMIN_KEY}x`, key.key])
      for (const beside of [{}, withBoth(sessions.owner)])
        expect(await outcomesFor({ ...bearer(token), ...beside })).toEqual(expectedOf(() => WRONG_KEY));
  });

  test('every route rejects an invented, ended or expired session and one of a disabled operator', async () => {
    const madeUp = { cookie: `gw_admin_session=${'A'.repeat(43)}`, 'x-csrf-token': sessions.owner.csrfToken };
    expect(await outcomesFor(madeUp)).toEqual(expectedOf(() => NOBODY));
    for (const name of ['ended', 'expired', 'disabled'] as const)
      expect([name, await outcomesFor(withBoth(sessions[name]))]).toEqual([name, expectedOf(() => NOBODY)]);
  });

  test('every route admits the admin key', async () => {
    expect(await outcomesFor(bearer(ADMIN_KEY))).toEqual(expectedOf(() => LET_THROUGH));
  });

  test.each(['viewer', 'admin', 'owner'] as const)(
    'the role %s can call exactly the routes that D33 grants it',
    async (role) => {
      expect(await outcomesFor(withBoth(sessions[role]))).toEqual(
        expectedOf((route) => (mayCall(role, route) ? LET_THROUGH : FORBIDDEN)),
      );
    },
  );

  test('every method except GET requires the CSRF token of the session, even for an owner', async () => {
    const expected = expectedOf(({ method }) => (method === 'GET' ? LET_THROUGH : FORBIDDEN));
    const { csrfToken } = sessions.viewer;
    expect(await outcomesFor(withCookie(sessions.owner))).toEqual(expected);
    expect(await outcomesFor({ ...withCookie(sessions.owner), 'x-csrf-token': csrfToken })).toEqual(expected);
  });
});

test('an unauthorized request is rejected before its body arrives', async () => {
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

test('a change by an operator is audited with their ID, the request ID and the address', async () => {
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
