import { Controller, Get } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyCache } from '../../src/keys/key-cache.js';
import { declaredRoutes, requireDeclaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { startGuardedApp } from '../support/guarded-app.js';
import { errorCodeIn } from '../support/responses.js';
import { enabledRoutes } from '../support/enabled-routes.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { nameOf, routerRoutes, type RouterRoute } from '../support/router-routes.js';

/** Routes that need no credential. Adding one is a deliberate decision. */
const PUBLIC = [
  'GET /health',
  'HEAD /health',
  'GET /health/live',
  'HEAD /health/live',
  'GET /health/ready',
  'HEAD /health/ready',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/',
  'GET /docs/index.html',
  'GET /docs/LICENSE',
  'GET /docs/*',
  'HEAD /docs/*',
  'GET /docs/swagger-ui-init.js',
  'GET /docs/docs/swagger-ui-init.js',
  // The dashboard's files contain no data, and sign-in creates the session.
  'GET /dashboard',
  'HEAD /dashboard',
  'GET /dashboard/*',
  'HEAD /dashboard/*',
  'POST /dashboard/session',
];

const UNCOUNTED = 'GET /v1/usage';

/** Routes with a model in the body, and a suitable model. The list comes from the API reference, not from the declared routes. */
const TAKES_MODEL: Readonly<Record<string, string>> = {
  'POST /v1/chat/completions': 'gpt-4o-mini',
  'POST /v1/completions': 'gpt-4o-mini',
  'POST /v1/embeddings': 'text-embedding-3-small',
  'POST /v1/messages': 'claude-3-5-sonnet-20241022',
  'POST /v1/responses': 'gpt-4o-mini',
  'POST /v1/audio/speech': 'tts-1',
  'POST /v1/audio/transcriptions': 'whisper-1',
  'POST /v1/images/generations': 'dall-e-3',
  'POST /v1/images/edits': 'dall-e-2',
  'POST /v1/assistants': 'gpt-4o-mini',
  'POST /v1/assistants/:assistant_id': 'gpt-4o-mini',
  'POST /v1/threads/:thread_id/runs': 'gpt-4o-mini',
};
const MODELS = [...new Set(Object.values(TAKES_MODEL))];
const FORMS = ['POST /v1/audio/transcriptions', 'POST /v1/images/edits', 'POST /v1/files'];

let gateway: TestGateway;
let routes: readonly RouterRoute[];
let open: Key;
beforeAll(async () => {
  gateway = await TestGateway.start();
  const enabled = enabledRoutes(gateway.app).map(nameOf);
  const declared = new Set(declaredRoutes(gateway.app).map(nameOf));
  routes = routerRoutes(gateway.app).filter((route) => !declared.has(nameOf(route)) || enabled.includes(nameOf(route)));
  open = await gateway.createKey();
  gateway.upstream.on('GET', '/v1/models', (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: MODELS.map((id) => ({ id, object: 'model' })) }));
  });
  await gateway.admin('POST', '/admin/cache/purge');
});
afterAll(() => gateway.stop());

const under = (prefix: string) => routes.filter(({ path }) => path.startsWith(prefix));
const addressOf = ({ path }: RouterRoute) =>
  path.replace(/:\w+/g, 'x-1').replace(/\*$/, path === '/admin/models/*' ? 'gpt-4o-mini/probe' : 'gpt-4o-mini');

/** Sends a request that passes all stages up to the quota. Its fields can be invalid. */
function callWith(key: Key | undefined, route: RouterRoute, model = TAKES_MODEL[nameOf(route)] ?? 'none') {
  const form = FORMS.includes(nameOf(route));
  const json = route.method === 'POST' ? JSON.stringify({ model }) : undefined;
  return gateway.call(route.method, addressOf(route), {
    key,
    body: form ? `--b\r\ncontent-disposition: form-data; name="model"\r\n\r\n${model}\r\n--b--\r\n` : json,
    headers: form ? { 'content-type': 'multipart/form-data; boundary=b' } : {},
  });
}

const countOf = async ({ id }: Key) =>
  (await gateway.admin<{ current: { day: { count: number } } }>('GET', `/admin/api-keys/${id}/quota`)).body.current.day
    .count;

test('the router contains all routes of this file', () => {
  const known = routes.map(nameOf);
  expect(known.length).toBeGreaterThan(90);
  expect(known).toEqual(expect.arrayContaining([...PUBLIC, ...Object.keys(TAKES_MODEL), UNCOUNTED]));
});

test('every route except the public ones requires a credential and forwards nothing without it', async () => {
  const before = gateway.upstream.requests.length;
  const responses: Record<string, string> = {};
  for (const route of routes) {
    if (PUBLIC.includes(nameOf(route))) continue;
    responses[nameOf(route)] = errorCodeIn(await callWith(undefined, route));
  }
  expect(new Set(Object.values(responses))).toEqual(new Set(['401 missing_api_key']));
  expect(gateway.upstream.requests.length).toBe(before);
});

test('public routes reveal no key names, IDs, keys or settings', async () => {
  const named = await gateway.createKey({ name: 'a confidential name' });
  for (const route of routes.filter((each) => PUBLIC.includes(nameOf(each)) && each.method === 'GET')) {
    const { text } = await gateway.call('GET', addressOf(route));
    for (const secret of ['confidential', named.id, named.key, gateway.upstream.url, 'postgres://'])
      expect([nameOf(route), text.includes(secret)]).toEqual([nameOf(route), false]);
  }
});

test('every request under /v1 with a key counts once, except GET /v1/usage', async () => {
  const counted: Record<string, number> = {};
  for (const route of under('/v1/')) {
    const before = await countOf(open);
    const response = await callWith(open, route);
    expect([nameOf(route), response.status]).not.toEqual([nameOf(route), 401]);
    counted[nameOf(route)] = (await countOf(open)) - before;
  }
  expect(counted).toEqual(
    Object.fromEntries(under('/v1/').map((route) => [nameOf(route), nameOf(route) === UNCOUNTED ? 0 : 1])),
  );
});

test('a key without requests left returns 429 on every route under /v1 except GET /v1/usage', async () => {
  const spent = await gateway.createKey({ rpd_limit: 1 });
  await gateway.call('GET', '/v1/models', { key: spent });
  const before = gateway.upstream.requests.length;
  for (const route of under('/v1/')) {
    const expected = nameOf(route) === UNCOUNTED ? '200' : '429 rate_limit_exceeded';
    expect([nameOf(route), errorCodeIn(await callWith(spent, route))]).toEqual([nameOf(route), expected]);
  }
  expect(gateway.upstream.requests.length).toBe(before);
});

describe('routes that take a model', () => {
  const taking = () => routes.filter((route) => nameOf(route) in TAKES_MODEL);

  test('a model that the key does not allow returns 403, is not counted and not forwarded', async () => {
    const narrow = await gateway.createKey({ allowed_models: ['gpt-4o'] });
    const before = gateway.upstream.requests.length;
    for (const route of taking())
      expect([nameOf(route), errorCodeIn(await callWith(narrow, route))]).toEqual([
        nameOf(route),
        '403 model_not_allowed model',
      ]);
    expect(await countOf(narrow)).toBe(0);
    expect(gateway.upstream.requests.length).toBe(before);
  });

  test('a key with allowed models must name a model, because the upstream would choose the default', async () => {
    const narrow = await gateway.createKey({ allowed_models: ['gpt-4o'] });
    // Creating or changing an assistant runs no model. A run has to name its model (D9).
    const harmless = ['POST /v1/assistants', 'POST /v1/assistants/:assistant_id'];
    for (const route of taking().filter((each) => !harmless.includes(nameOf(each)))) {
      const form = FORMS.includes(nameOf(route));
      const refused = await gateway.call('POST', addressOf(route), {
        key: narrow,
        body: form ? '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n' : '{}',
        headers: form ? { 'content-type': 'multipart/form-data; boundary=b' } : {},
      });
      expect(['403 model_not_allowed model', '400 missing_required_parameter model']).toContain(errorCodeIn(refused));
    }
  });

  test('a blocked or unknown model returns 403 and is not forwarded', async () => {
    for (const model of MODELS) await gateway.admin('POST', '/admin/model-allowlist', { model, enabled: false });
    const before = gateway.upstream.requests.length;
    for (const route of taking())
      for (const model of [undefined, 'no-such-model'])
        expect([nameOf(route), errorCodeIn(await callWith(open, route, model))]).toEqual([
          nameOf(route),
          '403 model_not_available model',
        ]);
    expect(gateway.upstream.requests.length).toBe(before);
    for (const model of MODELS) await gateway.admin('DELETE', `/admin/model-allowlist/${model}`);
  });

  test('a suitable model passes the model gate on every route', async () => {
    for (const route of taking()) {
      const { status } = await callWith(open, route);
      expect([nameOf(route), [200, 400, 502].includes(status)]).toEqual([nameOf(route), true]);
    }
  });
});

describe('a handler without a route declaration', () => {
  @Controller('v1/forgotten')
  class Forgotten {
    @Get()
    read() {
      return { open: 'to everyone' };
    }
  }

  test('an undeclared handler fails startup with an error that names it, and returns 403 if the check is bypassed', async () => {
    const app = await startGuardedApp([Forgotten], [{ provide: KeyCache, useValue: {} }]);
    expect(() => requireDeclaredRoutes(app)).toThrow('Forgotten.read');
    const response = await app.inject({ url: '/v1/forgotten', headers: { authorization: 'Bearer x' } });
    expect([response.statusCode, response.body.includes('everyone')]).toEqual([403, false]);
    await app.close();
  });
});
