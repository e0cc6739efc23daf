import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../../support/gateway.js';
import {
  callPlainly,
  cookieIn,
  createOperator,
  OPERATOR_PASSWORD,
  OperatorSession,
  signIn,
  tokenIn,
  type TestOperator,
} from '../../support/operator-session.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';

const WEEK_MS = 7 * 24 * 3_600_000;

let gateway: TestGateway;
let ada: TestOperator;
beforeAll(async () => {
  // Failed sign-ins are counted by address, so every request comes from its own address.
  gateway = await TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1' });
  ada = await createOperator(gateway, 'admin', { email: 'Ada@Example.com', name: 'Ada' });
});
afterAll(() => gateway.stop());

let addresses = 0;
const newAddress = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` });
const post = (body: unknown, headers: Record<string, string> = {}) =>
  callPlainly(gateway, 'POST', '/dashboard/session', { body, headers: { ...newAddress(), ...headers } });
const RIGHT = { email: 'ada@example.com', password: OPERATOR_PASSWORD };

describe('sign-in with correct credentials', () => {
  test('sign-in returns the operator, a CSRF token and the expiry, and sets the cookie', async () => {
    const response = await signIn(gateway, RIGHT.email, RIGHT.password);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      operator: { id: ada.id, email: 'Ada@Example.com', name: 'Ada', role: 'admin' },
      csrf_token: expect.stringMatching(/^\S{20,}$/) as unknown,
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    });
    expect(Math.abs(Date.parse(response.body.expires_at) - Date.now() - WEEK_MS)).toBeLessThan(60_000);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^gw_admin_session=[0-9A-Za-z_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=604800$/,
      ),
    ]);
    expect(response.text).not.toContain(tokenIn(cookieIn(response)!));
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test.each<[string, Record<string, string>]>([
    ['a page over HTTPS', { origin: 'https://gateway.example', 'x-forwarded-host': 'gateway.example' }],
    ['a trusted proxy that states HTTPS', { 'x-forwarded-proto': 'https' }],
  ])('%s gets a cookie that no other host can set, until it signs out', async (_what, headers) => {
    const signedIn = await post(RIGHT, headers);
    const [cookie] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-gw_admin_session=[0-9A-Za-z_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=604800$/,
    );
    const [pair] = cookie!.split(';');
    const sent = { ...headers, cookie: pair!, 'x-csrf-token': signedIn.body['csrf_token'] as string };
    const plain = { ...headers, cookie: pair!.replace('__Host-', '') };
    const read = (given: Record<string, string>) =>
      callPlainly(gateway, 'GET', '/dashboard/session', { headers: given });
    expect((await read(sent)).headers.getSetCookie()).toEqual([cookie]);
    expect((await read(plain)).status).toBe(401);
    const signedOut = await callPlainly(gateway, 'DELETE', '/dashboard/session', { headers: sent });
    expect(signedOut.headers.getSetCookie()).toEqual([
      '__Host-gw_admin_session=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0',
    ]);
    expect((await read(sent)).status).toBe(401);
  });

  test('each sign-in creates a new session, even if the request has a session cookie', async () => {
    const first = await OperatorSession.open(gateway, RIGHT.email);
    const planted = 'A'.repeat(43);
    for (const cookie of [first.cookie, `gw_admin_session=${planted}`]) {
      const response = await signIn(gateway, RIGHT.email, RIGHT.password, { cookie });
      const token = tokenIn(cookieIn(response)!);
      expect([first.token, planted]).not.toContain(token);
      expect(response.body.csrf_token).not.toBe(first.csrfToken);
    }
    const withPlanted = { headers: { cookie: `gw_admin_session=${planted}` } };
    expect((await callPlainly(gateway, 'GET', '/dashboard/session', withPlanted)).status).toBe(401);
    expect((await first.call('GET', '/dashboard/session')).status).toBe(200);
  });

  test('the database does not contain the session token', async () => {
    const { token } = await OperatorSession.open(gateway, RIGHT.email);
    const [{ held }] = await gateway.app.get(DataSource).query<[{ held: number }]>(
      `select (select count(*) from operator_sessions s where strpos(s::text, $1) > 0 or strpos(s::text, $2) > 0)::int
            + (select count(*) from audit_logs a where strpos(a::text, $1) > 0)::int as held`,
      [token, Buffer.from(token).toString('hex')],
    );
    expect(held).toBe(0);
  });

  test('the CSRF token of another session returns 403 forbidden', async () => {
    const [one, other] = [await OperatorSession.of(gateway, 'owner'), await OperatorSession.of(gateway, 'owner')];
    const wrong = { 'x-csrf-token': other.csrfToken };
    expect(errorCodeIn(await one.call('POST', '/admin/cache/purge', undefined, wrong))).toBe('403 forbidden');
    expect((await one.call('POST', '/admin/cache/purge')).status).toBe(200);
  });
});

describe('invalid sign-in', () => {
  test('unknown emails, wrong passwords and disabled operators get the same 401 and no cookie', async () => {
    await createOperator(gateway, 'viewer', { email: 'off@example.com' });
    const { body } = await gateway.admin<{ operators: TestOperator[] }>('GET', '/admin/operators');
    const off = body.operators.find(({ email }) => email === 'off@example.com')!;
    await gateway.admin('PATCH', `/admin/operators/${off.id}`, { disabled: true });
    const wrong = [
      { ...RIGHT, password: 'Wrong-horse-battery-9' },
      { ...RIGHT, password: '' },
      { ...RIGHT, password: `${OPERATOR_PASSWORD} ` },
      { ...RIGHT, password: 'x'.repeat(10_000) },
      { ...RIGHT, email: 'nobody@example.com' },
      { ...RIGHT, email: '' },
      { ...RIGHT, email: 'no address' },
      { ...RIGHT, email: "' or '1'='1" },
      { ...RIGHT, email: 'a\0b@example.com' },
      { ...RIGHT, email: `${'a'.repeat(5000)}@example.com` },
      { ...RIGHT, email: 'off@example.com' },
    ];
    const texts = new Set<string>();
    for (const credentials of wrong) {
      const response = await post(credentials);
      expect([credentials.email, errorCodeIn(response)]).toEqual([credentials.email, '401 invalid_credentials']);
      expect(errorIn(response)).toMatchObject({ type: 'authentication_error', param: null });
      expect([cookieIn(response), response.headers.get('cache-control')]).toEqual([undefined, 'no-store']);
      texts.add(errorIn(response).message);
    }
    expect(texts.size).toBe(1);
  });

  test.each<[string, unknown, string]>([
    ['an empty object', {}, '400 validation_error email'],
    ['a missing password', { email: RIGHT.email }, '400 validation_error password'],
    ['a missing email', { password: RIGHT.password }, '400 validation_error email'],
    ['a null email', { ...RIGHT, email: null }, '400 validation_error email'],
    ['a number as the password', { ...RIGHT, password: 5 }, '400 validation_error password'],
    ['an array as the password', { ...RIGHT, password: [RIGHT.password] }, '400 validation_error password'],
    ['an unknown field', { ...RIGHT, remember: true }, '400 validation_error remember'],
    ['a truncated body', '{"email":', '400 invalid_json'],
    ['an array', '[]', '400 invalid_type'],
    ['null', 'null', '400 invalid_type'],
    ['an empty body', '', '400 validation_error email'],
    ['a password of 70,000 characters', { ...RIGHT, password: 'x'.repeat(70_000) }, '413 request_too_large'],
  ])('%s is rejected', async (_what, body, refusal) => expect(errorCodeIn(await post(body))).toBe(refusal));

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('the content type %s returns 400 invalid_content_type, even with valid credentials', async (type) =>
    expect(errorCodeIn(await post(JSON.stringify(RIGHT), { 'content-type': type }))).toBe('400 invalid_content_type'),
  );

  test('a missing content type returns 400 invalid_content_type', async () => {
    const response = await fetch(`${gateway.url}/dashboard/session`, { method: 'POST' });
    expect(errorCodeIn({ status: response.status, text: await response.text() })).toBe('400 invalid_content_type');
  });
});

describe('origin of a sign-in', () => {
  const from = (origin: string, headers: Record<string, string> = {}) => post(RIGHT, { origin, ...headers });

  test('the origin of the gateway and a missing origin are accepted', async () => {
    expect((await from(gateway.url)).status).toBe(200);
    expect((await from('https://gateway.example', { 'x-forwarded-host': 'gateway.example' })).status).toBe(200);
    expect((await post(RIGHT)).status).toBe(200);
  });

  test('another origin returns 403 forbidden before the body is read', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${gateway.port + 1}`,
      'https://127.0.0.1',
    ]) {
      const response = await from(origin);
      expect([origin, errorCodeIn(response)]).toEqual([origin, '403 forbidden']);
      expect(errorIn(response).type).toBe('authentication_error');
      expect(cookieIn(response)).toBeUndefined();
    }
    const unread = await post('{"email":', { origin: 'https://evil.example', 'content-type': 'text/plain' });
    expect(errorCodeIn(unread)).toBe('403 forbidden');
  });

  test('plain HTTP from another machine returns 400 with a hint to use HTTPS', async () => {
    const response = await from('http://gateway.example:8080', { 'x-forwarded-host': 'gateway.example:8080' });
    expect(errorCodeIn(response)).toBe('400 bad_request');
    expect(errorIn(response).message).toContain('https');
    expect(cookieIn(response)).toBeUndefined();
  });

  test('another origin gets no CORS headers from /admin and /dashboard', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const path of ['/dashboard/session', '/admin/api-keys', '/dashboard/password']) {
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const response = await callPlainly(gateway, method, path, { headers });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });
});

test('other paths and methods return 404 route_not_found', async () => {
  for (const [method, path] of [
    ['PUT', '/dashboard/session'],
    ['PATCH', '/dashboard/session'],
    ['GET', '/dashboard/password'],
    ['POST', '/dashboard/session/'],
    ['POST', '/Dashboard/session'],
  ] as const)
    expect(errorCodeIn(await callPlainly(gateway, method, path))).toBe('404 route_not_found');
});
