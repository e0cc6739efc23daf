import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type TestGateway, type Key } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';

const ORIGIN = { origin: 'https://app.example' };
const PATH = '/v1/chat/completions';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey({ monthly_limit: 1000, monthly_token_limit: 1000 });
});
afterAll(() => gateway.stop());

const preflight = (path: string, asked = 'authorization, content-type, x-stainless-lang') =>
  gateway.call('OPTIONS', path, {
    headers: { ...ORIGIN, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
  });
const corsNames = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('CORS under /v1', () => {
  test('a preflight needs no key and allows any origin and every requested header', async () => {
    const { status, headers, text } = await preflight(PATH);
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-stainless-lang');
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(headers.get('access-control-allow-methods')).toContain(method);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('a preflight does not count against the quota', async () => {
    const made = await gateway.createKey();
    await gateway.call('OPTIONS', PATH, { key: made, headers: { ...ORIGIN, 'access-control-request-method': 'POST' } });
    const { body } = await gateway.call<{ today: { used: number } }>('GET', '/v1/usage', { key: made });
    expect(body.today.used).toBe(0);
  });

  test('every gateway header is exposed to pages, on responses, errors and streams', async () => {
    const calls = [
      gateway.chat(key, {}, { headers: { ...ORIGIN, 'x-request-id': 'mine' } }),
      gateway.chat(key, { stream: true }, { headers: ORIGIN }),
      gateway.chat('none', {}, { headers: ORIGIN }),
      gateway.call('GET', '/v1/usage', { key, headers: ORIGIN }),
      gateway.call('GET', '/v1/nothing', { headers: ORIGIN }),
    ];
    for (const { headers } of await Promise.all(calls)) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const exposed = headers.get('access-control-expose-headers')!.split(', ');
      // Pages do not need `X-Accel-Buffering`, which is meant for proxies.
      const own = [...headers.keys()].filter((name) => /^x-(?!accel)|^retry-after$/.test(name));
      expect(own.length).toBeGreaterThan(0);
      expect(exposed).toEqual(expect.arrayContaining(own));
    }
  });
});

describe('CORS outside /v1', () => {
  test.each(['/admin/api-keys', '/admin/nothing', '/health'])(
    '%s rejects preflights and has no CORS headers',
    async (path) => {
      const asked = await preflight(path);
      expect(asked.status).toBe(404);
      expect(corsNames(asked.headers)).toEqual([]);
      expect(corsNames((await gateway.call('GET', path, { headers: ORIGIN })).headers)).toEqual([]);
    },
  );

  test('a response to the admin key has no CORS headers', async () => {
    const response = await gateway.call('GET', '/admin/api-keys', {
      headers: { ...ORIGIN, authorization: `Bearer ${ADMIN_KEY}` },
    });
    expect(response.status).toBe(200);
    expect(corsNames(response.headers)).toEqual([]);
  });
});
