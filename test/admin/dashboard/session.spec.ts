import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Clock } from '../../../src/platform/clock.js';
import { TestGateway } from '../../support/gateway.js';
import {
  callPlainly,
  cookieIn,
  OPERATOR_PASSWORD,
  OperatorSession,
  tokenIn,
  type SessionBody,
} from '../../support/operator-session.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';

const MINUTE_MS = 60_000;

let gateway: TestGateway;
let session: OperatorSession;
beforeAll(async () => {
  gateway = await TestGateway.start();
  session = await OperatorSession.of(gateway, 'admin');
});
afterAll(() => gateway.stop());
afterEach(() => setClockAhead(0));

/** Sets the gateway's clock to this much after the real time. */
function setClockAhead(ms: number): void {
  gateway.app.get(Clock).now = () => Date.now() + ms;
}
const read = (of = session) => of.call<SessionBody & Record<string, unknown>>('GET', '/dashboard/session');
const SIGNED_OUT = '401 missing_api_key';

describe('GET /dashboard/session', () => {
  test('returns the same fields as sign-in and renews the cookie', async () => {
    const response = await read();
    expect([response.status, response.body]).toEqual([
      200,
      { operator: session.operator, csrf_token: session.csrfToken, expires_at: response.body.expires_at },
    ]);
    expect(cookieIn(response)).toBe(
      `gw_admin_session=${session.token}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=604800`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('a missing or unknown session returns 401 missing_api_key', async () => {
    expect(errorCodeIn(await callPlainly(gateway, 'GET', '/dashboard/session'))).toBe(SIGNED_OUT);
    for (const token of ['unknown', 'A'.repeat(43), '']) {
      const headers = { cookie: `gw_admin_session=${token}` };
      expect(errorCodeIn(await callPlainly(gateway, 'GET', '/dashboard/session', { headers }))).toBe(SIGNED_OUT);
    }
  });

  test('the 401 message names the sign-in route, and under /admin also the admin key', async () => {
    const messageOf = async (method: string, path: string) => errorIn(await callPlainly(gateway, method, path)).message;
    const signIn = 'You are not signed in. Sign in with POST /dashboard/session.';
    expect(await messageOf('GET', '/dashboard/session')).toBe(signIn);
    expect(await messageOf('POST', '/dashboard/password')).toBe(signIn);
    expect(await messageOf('GET', '/admin/api-keys')).toBe(
      'You are not signed in. Send "Authorization: Bearer <ADMIN_KEY>", or sign in with POST /dashboard/session.',
    );
  });
});

describe('lifetime of a session', () => {
  test('use extends a session at most every 15 minutes and then renews the cookie', async () => {
    const own = await OperatorSession.of(gateway, 'viewer');
    const begun = Date.parse((await read(own)).body.expires_at);
    const use = () => own.call('GET', '/admin/api-keys');
    setClockAhead(14 * MINUTE_MS);
    expect(cookieIn(await use())).toBeUndefined();
    expect(Date.parse((await read(own)).body.expires_at)).toBe(begun);
    setClockAhead(16 * MINUTE_MS);
    expect(tokenIn(cookieIn(await use())!)).toBe(own.token);
    expect(cookieIn(await use())).toBeUndefined();
    const extended = Date.parse((await read(own)).body.expires_at);
    expect(extended - begun).toBeGreaterThan(15 * MINUTE_MS);
    expect(extended - begun).toBeLessThan(17 * MINUTE_MS);
  });

  test('a rejected request extends the session and renews the cookie too', async () => {
    const own = await OperatorSession.of(gateway, 'viewer');
    setClockAhead(20 * MINUTE_MS);
    const refused = await own.call('GET', '/admin/api-keys?colour=red');
    expect([errorCodeIn(refused), tokenIn(cookieIn(refused)!)]).toEqual(['400 validation_error colour', own.token]);
  });
});

describe('DELETE /dashboard/session', () => {
  test('sign-out ends the session immediately, clears the cookie and is audited', async () => {
    const [own, other] = [await OperatorSession.of(gateway, 'viewer'), await OperatorSession.of(gateway, 'viewer')];
    const response = await own.call('DELETE', '/dashboard/session');
    expect([response.status, response.text]).toEqual([204, '']);
    expect(cookieIn(response)).toBe('gw_admin_session=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0');
    expect(errorCodeIn(await read(own))).toBe(SIGNED_OUT);
    expect(errorCodeIn(await own.call('GET', '/admin/api-keys'))).toBe(SIGNED_OUT);
    expect(errorCodeIn(await own.call('DELETE', '/dashboard/session'))).toBe(SIGNED_OUT);
    expect((await read(other)).status).toBe(200);
    const rows = await gateway.app
      .get(DataSource)
      .query<{ actor_type: string; metadata: Record<string, unknown> }[]>(
        `select actor_type, metadata from audit_logs where action = 'admin.logout' and target_id = $1`,
        [own.operator.id],
      );
    expect(rows).toEqual([
      {
        actor_type: 'operator',
        metadata: expect.objectContaining({
          actor_id: own.operator.id,
          request_id: response.headers.get('x-request-id'),
          ip: '127.0.0.1',
        }) as unknown,
      },
    ]);
  });

  test('sign-out without the CSRF token returns 403 and keeps the session', async () => {
    for (const given of ['', 'x', `${session.csrfToken}x`, session.csrfToken.toLowerCase()]) {
      const response = await session.call('DELETE', '/dashboard/session', undefined, { 'x-csrf-token': given });
      expect([given, errorCodeIn(response)]).toEqual([given, '403 forbidden']);
    }
    expect((await read()).status).toBe(200);
  });
});

test.each(['GET', 'POST', 'DELETE'])('%s /dashboard/session rejects query parameters', async (method) => {
  const own = await OperatorSession.of(gateway, 'viewer');
  const body = method === 'POST' ? { email: own.operator.email, password: OPERATOR_PASSWORD } : undefined;
  const response = await own.call(method, '/dashboard/session?colour=red', body);
  expect(errorCodeIn(response)).toBe('400 validation_error colour');
  expect((await read(own)).status).toBe(200);
});

test('sign-out rejects body fields', async () => {
  const own = await OperatorSession.of(gateway, 'viewer');
  const response = await own.call('DELETE', '/dashboard/session', { everywhere: true });
  expect(errorCodeIn(response)).toBe('400 validation_error everywhere');
  expect((await read(own)).status).toBe(200);
});
