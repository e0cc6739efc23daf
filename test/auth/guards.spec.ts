import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { serviceUnavailable } from '../../src/platform/errors/error-factories.js';
import { KeyCache } from '../../src/keys/key-cache.js';
import { generateKey, hashKey } from '../../src/keys/key-format.js';
import { RefusalRecheck } from '../../src/proxy/pipeline/refusal-recheck.service.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { SessionsService } from '../../src/auth/operators/sessions.service.js';
import { ADMIN_KEYS, Refusals, Routes, Sessions, startGuardedApp } from '../support/guarded-app.js';

class Keys {
  readonly cached = new Map<string, KeySnapshot | null>();
  readonly stored = new Map<string, KeySnapshot>();
  away = false;
  loads = 0;
  find(hash: string): KeySnapshot | null | undefined {
    return this.cached.get(hash);
  }
  load(hash: string): Promise<KeySnapshot | null> {
    this.loads++;
    return this.away ? Promise.reject(serviceUnavailable()) : Promise.resolve(this.stored.get(hash) ?? null);
  }
}

const keys = new Keys();
const secrets = { active: '', suspended: '', revoked: '', expired: '' };
let app: NestFastifyApplication;
beforeAll(async () => {
  app = await startGuardedApp([Routes], [{ provide: KeyCache, useValue: keys }]);
  for (const name of Object.keys(secrets) as (keyof typeof secrets)[]) {
    secrets[name] = generateKey();
    const status = name === 'expired' ? 'active' : name;
    keys.cached.set(hashKey(secrets[name]), {
      id: name,
      status,
      expiresAtMs: name === 'expired' ? 1 : null,
    } as KeySnapshot);
  }
});
afterAll(() => app.close());
beforeEach(() => {
  keys.loads = 0;
  keys.away = false;
});

interface Response {
  readonly key: { readonly id: string } | null;
  readonly actor: object | null;
  readonly cookie?: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

async function call(url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' | 'DELETE' = 'GET') {
  const { statusCode, body } = await app.inject({ url, headers, method });
  const json = JSON.parse(body) as Response;
  return { status: statusCode, json, code: json.error?.code, message: json.error?.message };
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('API keys under /v1', () => {
  test('a cached key is accepted if Bearer is written in any case, and is set in the context', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await call('/v1/models', { authorization: `${scheme} ${secrets.active}` });
      expect([response.status, response.json.key?.id, response.json.actor]).toEqual([200, 'active', null]);
    }
    expect(keys.loads).toBe(0);
  });

  test('a key that is not cached is loaded', async () => {
    const secret = generateKey();
    keys.stored.set(hashKey(secret), { id: 'stored', status: 'active', expiresAtMs: null } as KeySnapshot);
    expect((await call('/v1/models', bearer(secret))).json.key?.id).toBe('stored');
    expect(keys.loads).toBe(1);
  });

  test('a missing or empty Authorization header returns 401 missing_api_key', async () => {
    for (const headers of [{}, { authorization: '' }, { authorization: '', 'x-api-key': secrets.active }]) {
      for (const url of ['/v1/models', '/v1/messages/m1']) {
        expect(await call(url, headers as Record<string, string>)).toMatchObject({
          status: 401,
          code: 'missing_api_key',
        });
      }
    }
  });

  test('other invalid credentials share one message, and malformed keys are not looked up', async () => {
    const wrong = [
      'Basic x',
      'Bearer',
      'Bearer sk-gw-x',
      `Bearer ${ADMIN_KEYS[0]}`,
      secrets.active,
      `Bearer ${secrets.active}0`,
    ];
    const responses = await Promise.all(wrong.map((authorization) => call('/v1/models', { authorization })));
    expect(keys.loads).toBe(0);
    responses.push(await call('/v1/models', bearer(generateKey())));
    expect(keys.loads).toBe(1);
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [401, 'invalid_api_key']));
    expect(new Set(responses.map(({ message }) => message)).size).toBe(1);
  });

  test('a key cached as unknown is rejected without another lookup', async () => {
    const secret = generateKey();
    keys.cached.set(hashKey(secret), null);
    expect(await call('/v1/models', bearer(secret))).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(keys.loads).toBe(0);
  });

  test('a key that cannot be loaded returns 503, never 401', async () => {
    keys.away = true;
    expect(await call('/v1/models', bearer(generateKey()))).toMatchObject({ status: 503, code: 'service_unavailable' });
  });

  test.each([
    ['suspended', 403, 'api_key_suspended'],
    ['revoked', 403, 'api_key_revoked'],
    ['expired', 401, 'api_key_expired'],
  ] as const)('a key that is %s gets %i %s after the rejection is confirmed', async (name, status, code) => {
    const refusals = app.get<Refusals>(RefusalRecheck);
    const before = refusals.count;
    expect(await call('/v1/models', bearer(secrets[name]))).toMatchObject({ status, code });
    expect(refusals.count).toBe(before + 1);
  });
});

describe('x-api-key', () => {
  const byHeader = (key: string) => ({ 'x-api-key': key });

  test('x-api-key is accepted on the messages routes', async () => {
    expect((await call('/v1/messages', byHeader(secrets.active), 'POST')).json.key?.id).toBe('active');
    expect((await call('/v1/messages/m1', byHeader(secrets.active))).json.key?.id).toBe('active');
  });

  test('x-api-key is ignored on other routes and alongside an Authorization header', async () => {
    for (const url of ['/v1/models', '/admin/things']) {
      expect(await call(url, byHeader(secrets.active))).toMatchObject({ status: 401, code: 'missing_api_key' });
    }
    const both = { ...byHeader(secrets.active), ...bearer('sk-gw-bad') };
    expect(await call('/v1/messages/m1', both)).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('x-api-key must contain the bare key', async () => {
    for (const value of [`Bearer ${secrets.active}`, `${secrets.active},${secrets.active}`, ADMIN_KEYS[0]!]) {
      expect(await call('/v1/messages/m1', byHeader(value))).toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
  });
});

describe('admin keys under /admin', () => {
  test('each admin key is accepted and sets the actor', async () => {
    for (const key of ADMIN_KEYS) {
      const { status, json } = await call('/admin/things', bearer(key));
      expect([status, json.key]).toEqual([200, null]);
      expect(json.actor).toEqual({ type: 'admin_key', id: null, requestId: expect.any(String), ip: '127.0.0.1' });
    }
  });

  test('any other credential is rejected under /admin', async () => {
    const key = ADMIN_KEYS[0]!;
    const wrong = [key.slice(0, -1), `${key}0`, key.toUpperCase(), ADMIN_KEYS.join(), 'admin_gw_', secrets.active];
    for (const authorization of [...wrong.map((token) => `Bearer ${token}`), key, `Basic ${key}`]) {
      expect(await call('/admin/things', { authorization })).toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
    const cookies = [`gw_admin_session=${key}`, `__Host-gw_admin_session=${key}`].map((one) => ({ cookie: one }));
    for (const headers of [{}, { 'x-api-key': key }, ...cookies]) {
      expect(await call('/admin/things', headers as Record<string, string>)).toMatchObject({ code: 'missing_api_key' });
    }
  });
});

const cookie = (token: string) => ({ cookie: `gw_admin_session=${token}` });
const csrf = (role: string) => ({ 'x-csrf-token': `csrf of session of ${role}` });
const NOBODY = { status: 401, code: 'missing_api_key' };
const FORBIDDEN = { status: 403, code: 'forbidden' };

describe('session cookies under /admin', () => {
  test('a session is accepted if its role is sufficient, and sets the actor', async () => {
    const { status, json } = await call('/admin/things', cookie('viewer'));
    expect([status, json.actor]).toEqual([
      200,
      { type: 'operator', id: 'id of viewer', requestId: expect.any(String), ip: '127.0.0.1' },
    ]);
    expect((await call('/admin/things/owner', cookie('owner'))).status).toBe(200);
  });

  test('the session cookie is found among other cookies', async () => {
    for (const others of [
      'a=b; gw_admin_session=viewer; c=d',
      ' gw_admin_session = viewer ',
      'gw_admin_session=viewer; gw_admin_session=viewer',
      'gw_admin_session_2=x; =; ;gw_admin_session=viewer;',
    ])
      expect([others, (await call('/admin/things', { cookie: others })).status]).toEqual([others, 200]);
  });

  test('an unknown session returns 401 missing_api_key, and malformed cookies are not looked up', async () => {
    const sessions = app.get<Sessions>(SessionsService);
    expect(await call('/admin/things', cookie('unknown'))).toMatchObject(NOBODY);
    const before = sessions.finds;
    for (const malformed of [
      '',
      'gw_admin_session',
      'gw_admin_session=',
      'xgw_admin_session=viewer',
      'GW_ADMIN_SESSION=viewer',
      'gw_admin_session="viewer"',
      `gw_admin_session=${'v'.repeat(201)}`,
      'gw_admin_session=owner; gw_admin_session=viewer',
    ])
      expect([malformed, await call('/admin/things', { cookie: malformed })]).toMatchObject([malformed, NOBODY]);
    expect(sessions.finds).toBe(before);
  });

  test('the session cookie is ignored alongside any Authorization header', async () => {
    const sessions = app.get<Sessions>(SessionsService);
    const before = sessions.finds;
    const wrong = { ...cookie('owner'), ...bearer('admin_gw_wrong') };
    expect(await call('/admin/things', wrong)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    expect(await call('/admin/things', { ...cookie('owner'), authorization: '' })).toMatchObject(NOBODY);
    const right = await call('/admin/things', { ...cookie('owner'), ...bearer(ADMIN_KEYS[0]!) });
    expect(right.json.actor).toMatchObject({ type: 'admin_key' });
    expect(sessions.finds).toBe(before);
  });

  test('a session with an insufficient role returns 403 forbidden', async () => {
    for (const role of ['viewer', 'admin'])
      expect(await call('/admin/things/owner', cookie(role))).toMatchObject(FORBIDDEN);
    expect(await call('/admin/things', { ...cookie('viewer'), ...csrf('viewer') }, 'POST')).toMatchObject(FORBIDDEN);
  });

  test("a change without the session's own CSRF token returns 403 forbidden", async () => {
    for (const headers of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': 'x' }, csrf('owner')])
      expect(await call('/admin/things', { ...cookie('admin'), ...headers }, 'POST')).toMatchObject(FORBIDDEN);
    expect((await call('/admin/things', { ...cookie('admin'), ...csrf('admin') }, 'POST')).status).toBe(201);
  });

  test('the cookie is sent again only if the session was extended', async () => {
    expect((await call('/admin/things/owner', cookie('owner'))).json.cookie).toBeNull();
    expect((await call('/admin/things/owner', cookie('owner-extended'))).json.cookie).toBe(
      'gw_admin_session=owner-extended; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=604800',
    );
  });
});

describe('session cookies under /dashboard', () => {
  test('the Authorization header is ignored under /dashboard', async () => {
    expect(await call('/dashboard/session', bearer(ADMIN_KEYS[0]!))).toMatchObject(NOBODY);
    for (const authorization of ['', 'Bearer wrong', `Bearer ${ADMIN_KEYS[0]}`]) {
      const { status, json } = await call('/dashboard/session', { ...cookie('viewer'), authorization });
      expect([status, json.actor]).toMatchObject([200, { type: 'operator', id: 'id of viewer' }]);
    }
  });

  test('every role is accepted and gets its cookie; a change requires the CSRF token', async () => {
    for (const role of ['viewer', 'admin', 'owner']) {
      expect((await call('/dashboard/session', cookie(role))).json.cookie).toContain(`gw_admin_session=${role};`);
      expect(await call('/dashboard/session', cookie(role), 'DELETE')).toMatchObject(FORBIDDEN);
      expect((await call('/dashboard/session', { ...cookie(role), ...csrf(role) }, 'DELETE')).status).toBe(200);
    }
  });

  test('sign-in ignores all credentials', async () => {
    for (const headers of [{}, cookie('owner'), bearer('x')]) {
      const { status, json } = await call('/dashboard/session', headers, 'POST');
      expect([status, json.actor]).toEqual([201, null]);
    }
  });
});

test('a public route ignores invalid credentials', async () => {
  expect(await call('/health', bearer('sk-gw-bad'))).toMatchObject({ status: 200 });
});
