import { afterEach, describe, expect, test } from '@jest/globals';
import { declaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { errorCodeIn } from '../support/responses.js';
import { ADMIN_KEY } from '../support/gateway.js';
import { gatewayOfFile } from '../support/gateway-of-file.js';

const file = gatewayOfFile();

// An unsafe merge of the inputs below would add properties to all objects.
afterEach(() => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const POLLUTING = [
  '{"__proto__":{"polluted":1,"model":"gpt-4o","rpm_limit":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"prototype":{"polluted":1},"__proto__":null}',
  '{"\\u005f_proto__":{"polluted":1}}',
  '{"a":{"__proto__":{"polluted":1}}}',
];

const merged = (json: string, body: object) => `${json.slice(0, -1)},${JSON.stringify(body).slice(1)}`;

describe('prototype names', () => {
  test('prototype names are unknown fields in the Admin API', async () => {
    for (const json of POLLUTING) {
      const response = await file.gateway.admin('POST', '/admin/api-keys', merged(json, { name: 'x' }));
      expect([json, response.status]).toEqual([json, 400]);
      const limits = await file.gateway.admin('PATCH', `/admin/api-keys/${file.key.id}`, json);
      expect([json, limits.status]).toEqual([json, 400]);
    }
    const { body } = await file.gateway.admin('GET', `/admin/api-keys/${file.key.id}`);
    expect(body).toMatchObject({ rpm_limit: 1_000_000 });
  });

  test('prototype names under /v1 are ordinary fields, forwarded unchanged, and supply no model', async () => {
    const chat = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };
    for (const json of POLLUTING) {
      file.gateway.upstream.reset();
      const body = merged(json, chat);
      expect([json, (await file.gateway.call('POST', '/v1/chat/completions', { key: file.key, body })).status]).toEqual(
        [json, 200],
      );
      expect(file.gateway.upstream.requests[0]!.body.toString()).toBe(body);
    }
    const inherited = '{"__proto__":{"model":"gpt-4o-mini","messages":[{"role":"user","content":"x"}]}}';
    const response = await file.gateway.call('POST', '/v1/chat/completions', { key: file.key, body: inherited });
    expect(errorCodeIn(response)).toBe('400 missing_required_parameter model');
  });

  test('prototype names in a query are unknown parameters', async () => {
    for (const query of [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
      '__proto__=1',
      'constructor=1',
      'toString=1',
      'hasOwnProperty=1',
    ]) {
      const response = await file.gateway.admin('GET', `/admin/api-keys?${query}`);
      expect([query, response.status, response.text.includes('validation_error')]).toEqual([query, 400, true]);
      expect([query, (await file.gateway.call('GET', `/v1/models?${query}`, { key: file.key })).status]).toEqual([
        query,
        200,
      ]);
    }
  });

  test('prototype names are not known models, events, actions or sort fields', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      const made = await file.gateway.admin('POST', '/admin/api-keys', { name, allowed_models: [name] });
      expect([name, made.status]).toEqual([name, 201]);
      expect(errorCodeIn(await file.gateway.chat(file.key, { model: name }))).toBe('403 model_not_available model');
      expect(errorCodeIn(await file.gateway.call('GET', `/v1/models/${name}`, { key: file.key }))).toMatch(
        /^404 not_found/,
      );
      const webhook = { url: 'https://example.com/', events: [name] };
      expect((await file.gateway.admin('POST', '/admin/webhooks', webhook)).status).toBe(400);
      for (const path of ['/admin/audit-logs?action=', '/admin/api-keys?sort_by=', '/admin/key-stats?sort_by='])
        expect([path, name, (await file.gateway.admin('GET', path + name)).status]).toEqual([path, name, 400]);
    }
    expect((await file.gateway.admin('GET', '/admin/model-allowlist?search=constructor')).status).toBe(200);
    expect((await file.gateway.call('GET', '/metrics', {})).status).toBe(404);
  });
});

describe('repeated parameters and headers', () => {
  test('every read of the Admin API rejects a repeated parameter by name', async () => {
    const reads = declaredRoutes(file.gateway.app).filter(
      ({ method, spec }) => spec?.kind === 'admin' && method === 'GET',
    );
    const known = ['limit', 'since', 'status', 'from', 'search', 'unread'];
    let looked = 0;
    for (const { path } of reads) {
      const address = path.replace(':id', file.key.id).replace('*', 'gpt-4o-mini');
      for (const name of known) {
        const once = await file.gateway.admin('GET', `${address}?${name}=1`);
        if (once.status === 404) continue;
        const twice = await file.gateway.admin('GET', `${address}?${name}=1&${name}=1`);
        expect([address, errorCodeIn(twice)]).toEqual([address, `400 validation_error ${name}`]);
        looked++;
      }
    }
    expect(looked).toBeGreaterThan(60);
  });

  test('GET /v1/models rejects a repeated parameter, and pass-through routes forward it unchanged', async () => {
    for (const query of ['limit=1&limit=2', 'search=a&search=b', 'category=chat&category=chat', 'limit=1&%6cimit=2'])
      expect([
        query,
        errorCodeIn(await file.gateway.call('GET', `/v1/models?${query}`, { key: file.key })),
      ]).toMatchObject([query, expect.stringMatching(/^400 invalid_value/)]);
    file.gateway.upstream.reset();
    await file.gateway.call('GET', '/v1/files?limit=1&limit=2&limit', { key: file.key });
    expect(file.gateway.upstream.requests[0]!.path).toBe('/v1/files?limit=1&limit=2&limit');
  });

  test('several credentials in one header return 401', async () => {
    const good = `Bearer ${file.key.key}`;
    for (const authorization of [`${good}, Bearer x`, `Bearer x, ${good}`, `${good},${good}`]) {
      const response = await file.gateway.call('GET', '/v1/usage', { headers: { authorization } });
      expect([response.status, response.text.includes('invalid_api_key')]).toEqual([401, true]);
    }
  });
});

test('the last of repeated fields in an Admin API body is stored and returned', async () => {
  const body = '{"name":"first","name":"second","rpm_limit":1,"rpm_limit":7}';
  const made = await file.gateway.call<{ id: string }>('POST', '/admin/api-keys', { key: ADMIN_KEY, body });
  const { body: stored } = await file.gateway.admin('GET', `/admin/api-keys/${made.body.id}`);
  expect([made.body, stored]).toMatchObject([
    { name: 'second', rpm_limit: 7 },
    { name: 'second', rpm_limit: 7 },
  ]);
});
