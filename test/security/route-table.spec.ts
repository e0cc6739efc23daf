import { Controller, Get } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyCache } from '../../src/keys/key-cache.js';
import { declaredRoutes, refuseUndeclaredRoutes } from '../../src/routes/declared-routes.js';
import { startGuardedApp } from '../support/guarded-app.js';
import { refusalIn } from '../support/answers.js';
import { enabledRoutes } from '../support/enabled-routes.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { nameOf, routerRoutes, type RouterRoute } from '../support/router-routes.js';

/** Whatever anybody may call. A route that is added here has been thought about. */
const PUBLIC = [
  ...[
    'GET /health',
    'HEAD /health',
    'GET /health/live',
    'HEAD /health/live',
    'GET /health/ready',
    'HEAD /health/ready',
  ],
  ...[
    'GET /openapi.json',
    'GET /docs',
    'GET /docs/',
    'GET /docs/index.html',
    'GET /docs/LICENSE',
    'GET /docs/*',
    'HEAD /docs/*',
  ],
  ...['GET /docs/swagger-ui-init.js', 'GET /docs/docs/swagger-ui-init.js'],
  // The page itself, which shows nothing before somebody has signed in; and signing in.
  ...['GET /dashboard', 'HEAD /dashboard', 'GET /dashboard/*', 'HEAD /dashboard/*', 'POST /dashboard/session'],
];

const UNCOUNTED = 'GET /v1/usage';

/** What takes a model in its body, and one that fits; from the API's reference, not from what the routes declare. */
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
/** An address of this route, of nothing that is there. */
const addressOf = ({ path }: RouterRoute) =>
  path.replace(/:\w+/g, 'x-1').replace(/\*$/, path === '/admin/models/*' ? 'gpt-4o-mini/probe' : 'gpt-4o-mini');

/** A call that gets as far as the quota, whatever is wrong with its fields later on. */
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

test('the router answers to what is looked at here, and to all that the reference says takes a model', () => {
  const known = routes.map(nameOf);
  expect(known.length).toBeGreaterThan(90);
  expect(known).toEqual(expect.arrayContaining([...PUBLIC, ...Object.keys(TAKES_MODEL), UNCOUNTED]));
});

test('without a credential everything is 401 but the public list, and the upstream hears of nothing', async () => {
  const before = gateway.upstream.requests.length;
  const answers: Record<string, string> = {};
  for (const route of routes) {
    if (PUBLIC.includes(nameOf(route))) continue;
    answers[nameOf(route)] = refusalIn(await callWith(undefined, route));
  }
  expect(new Set(Object.values(answers))).toEqual(new Set(['401 missing_api_key']));
  expect(gateway.upstream.requests.length).toBe(before);
});

test('what is public tells nobody’s data: no key’s name, no e-mail, no setting', async () => {
  const named = await gateway.createKey({ name: 'a name that is nobody’s business' });
  for (const route of routes.filter((each) => PUBLIC.includes(nameOf(each)) && each.method === 'GET')) {
    const { text } = await gateway.call('GET', addressOf(route));
    for (const told of ['nobody’s business', named.id, named.key, gateway.upstream.url, 'postgres://'])
      expect([nameOf(route), text.includes(told)]).toEqual([nameOf(route), false]);
  }
});

test('under /v1 every call with a key counts one, but for the usage that tells of it', async () => {
  const counted: Record<string, number> = {};
  for (const route of under('/v1/')) {
    const before = await countOf(open);
    const answer = await callWith(open, route);
    expect([nameOf(route), answer.status]).not.toEqual([nameOf(route), 401]);
    counted[nameOf(route)] = (await countOf(open)) - before;
  }
  expect(counted).toEqual(
    Object.fromEntries(under('/v1/').map((route) => [nameOf(route), nameOf(route) === UNCOUNTED ? 0 : 1])),
  );
});

test('under /v1 a key without requests left gets 429 everywhere else', async () => {
  const spent = await gateway.createKey({ rpd_limit: 1 });
  await gateway.call('GET', '/v1/models', { key: spent });
  const before = gateway.upstream.requests.length;
  for (const route of under('/v1/')) {
    const expected = nameOf(route) === UNCOUNTED ? '200' : '429 rate_limit_exceeded';
    expect([nameOf(route), refusalIn(await callWith(spent, route))]).toEqual([nameOf(route), expected]);
  }
  expect(gateway.upstream.requests.length).toBe(before);
});

describe('every route that takes a model', () => {
  const taking = () => routes.filter((route) => nameOf(route) in TAKES_MODEL);

  test('refuses one outside the key’s list, counts nothing and asks nobody', async () => {
    const narrow = await gateway.createKey({ allowed_models: ['gpt-4o'] });
    const before = gateway.upstream.requests.length;
    for (const route of taking())
      expect([nameOf(route), refusalIn(await callWith(narrow, route))]).toEqual([
        nameOf(route),
        '403 model_not_allowed model',
      ]);
    expect(await countOf(narrow)).toBe(0);
    expect(gateway.upstream.requests.length).toBe(before);
  });

  test('is not taken without one from a key with a list, whose default would be somebody else’s choice', async () => {
    const narrow = await gateway.createKey({ allowed_models: ['gpt-4o'] });
    // What an assistant is made with, or keeps, runs nothing by itself; a run has to name its model (D9).
    const harmless = ['POST /v1/assistants', 'POST /v1/assistants/:assistant_id'];
    for (const route of taking().filter((each) => !harmless.includes(nameOf(each)))) {
      const form = FORMS.includes(nameOf(route));
      const refused = await gateway.call('POST', addressOf(route), {
        key: narrow,
        body: form ? '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n' : '{}',
        headers: form ? { 'content-type': 'multipart/form-data; boundary=b' } : {},
      });
      expect(['403 model_not_allowed model', '400 missing_required_parameter model']).toContain(refusalIn(refused));
    }
  });

  test('refuses one that a policy blocks, and that nobody knows', async () => {
    for (const model of MODELS) await gateway.admin('POST', '/admin/model-allowlist', { model, enabled: false });
    const before = gateway.upstream.requests.length;
    for (const route of taking())
      for (const model of [undefined, 'no-such-model'])
        expect([nameOf(route), refusalIn(await callWith(open, route, model))]).toEqual([
          nameOf(route),
          '403 model_not_available model',
        ]);
    expect(gateway.upstream.requests.length).toBe(before);
    for (const model of MODELS) await gateway.admin('DELETE', `/admin/model-allowlist/${model}`);
  });

  test('goes as far as its fields or the upstream with a good one', async () => {
    for (const route of taking()) {
      const { status } = await callWith(open, route);
      expect([nameOf(route), [200, 400, 502].includes(status)]).toEqual([nameOf(route), true]);
    }
  });
});

describe('a handler that declares nothing of what it is', () => {
  @Controller('v1/forgotten')
  class Forgotten {
    @Get()
    read() {
      return { open: 'to everybody' };
    }
  }

  test('stops the start by its name, and is refused should it be started all the same', async () => {
    const app = await startGuardedApp([Forgotten], [{ provide: KeyCache, useValue: {} }]);
    expect(() => refuseUndeclaredRoutes(app)).toThrow('Forgotten.read');
    const answer = await app.inject({ url: '/v1/forgotten', headers: { authorization: 'Bearer x' } });
    expect([answer.statusCode, answer.body.includes('everybody')]).toEqual([403, false]);
    await app.close();
  });
});
