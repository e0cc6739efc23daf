import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import { TestGateway } from '../../support/gateway.js';
import { callPlainly, cookieIn, OperatorSession } from '../../support/operator-session.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';

const CALLS_MAX = 60_000;
const WINDOW_MS = 60_000;
const LOCKED = '429 rate_limit_exceeded';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => gateway.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });
const get = (path: string, address: string) => callPlainly(gateway, 'GET', path, { headers: from(address) });

/** Counts `hits` requests of this address without sending them. */
async function flood(address: string, hits = CALLS_MAX): Promise<void> {
  const storage = gateway.app.get<ThrottlerStorage>(getStorageToken(), { strict: false });
  for (let hit = 0; hit < hits; hit++) await storage.increment(`calls ${address}`, WINDOW_MS, CALLS_MAX, 0, 'calls');
}

test('after 60,000 requests per minute from one address, the next one returns 429 before authentication', async () => {
  await flood('203.0.113.1', CALLS_MAX - 1);
  expect(errorCodeIn(await get('/admin/api-keys', '203.0.113.1'))).toBe('401 missing_api_key');
  for (const path of ['/admin/api-keys', '/dashboard/session']) {
    const response = await get(path, '203.0.113.1');
    expect([errorCodeIn(response), response.headers.get('cache-control')]).toEqual([LOCKED, 'no-store']);
    expect(errorIn(response)).toMatchObject({ type: 'rate_limit_error', param: null });
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  }
  expect(errorCodeIn(await get('/admin/api-keys', '203.0.113.2'))).toBe('401 missing_api_key');
});

test('a session and a bearer token do not bypass the limit by address', async () => {
  const session = await OperatorSession.of(gateway, 'owner');
  const before = await session.call('GET', '/admin/operators', undefined, from('203.0.113.3'));
  expect([before.status, [...before.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))]).toEqual([
    200,
    [],
  ]);
  await flood('203.0.113.3');
  const withSession = await session.call('GET', '/admin/operators', undefined, from('203.0.113.3'));
  expect([errorCodeIn(withSession), cookieIn(withSession)]).toEqual([LOCKED, undefined]);
  const headers = { ...from('203.0.113.3'), authorization: 'Bearer x' };
  expect(errorCodeIn(await callPlainly(gateway, 'GET', '/admin/api-keys', { headers }))).toBe(LOCKED);
});

test('an IPv6 /64 network counts as one address', async () => {
  await flood('2001:db8:1:2::/64');
  expect(errorCodeIn(await get('/admin/api-keys', '2001:db8:1:2:3:4:5:6'))).toBe(LOCKED);
  expect(errorCodeIn(await get('/admin/api-keys', '2001:db8:1:3::1'))).toBe('401 missing_api_key');
});

test('after 200 requests with a password in ten seconds, the next ones return 429', async () => {
  const headers = { ...from('203.0.113.4'), 'content-type': 'text/plain' };
  const post = () => callPlainly(gateway, 'POST', '/dashboard/session', { headers, body: 'x' });
  const responses = await Promise.all(Array.from({ length: 205 }, post));
  const refusals = responses.map(errorCodeIn);
  expect(refusals.filter((refusal) => refusal === '400 invalid_content_type')).toHaveLength(200);
  expect(refusals.filter((refusal) => refusal === LOCKED)).toHaveLength(5);
  expect(errorCodeIn(await get('/dashboard/session', '203.0.113.4'))).toBe('401 missing_api_key');
});

test('/v1 and /health are not limited by address', async () => {
  await flood('203.0.113.5');
  expect(errorCodeIn(await get('/v1/models', '203.0.113.5'))).toBe('401 missing_api_key');
  expect((await get('/health', '203.0.113.5')).status).toBe(200);
});
