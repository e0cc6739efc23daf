import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Config } from '../../src/platform/config/config.js';
import { ModelCatalog } from '../../src/model-policy/catalog.service.js';
import { TestGateway } from '../support/gateway.js';
import { errorCodeIn } from '../support/responses.js';
import { OperatorSession } from '../support/operator-session.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { until } from '../support/until.js';
import { listsOnly, UpstreamsFile } from '../support/upstreams-file.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRET = 'secret-of-the-second-upstream';
const NO_CACHE = {
  input_tokens: expect.any(Number),
  cached_tokens: 0,
  cache_saved: '0',
};
const NO_FALLBACKS = { fallbacks: { context_length: 0, content_filter: 0 } };
/** Earlier tests send requests. */
const COUNTS = {
  attempts: expect.any(Number),
  failovers: expect.any(Number),
  last_error: null,
  ...NO_FALLBACKS,
  ...NO_CACHE,
};

interface Listed {
  readonly total: number;
  readonly has_more: boolean;
  readonly loaded_at: string | null;
  readonly reload_failed: boolean;
  readonly upstreams: Record<string, unknown>[];
}

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let file: UpstreamsFile;
let gateway: TestGateway;
beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
  listModels();
  file = new UpstreamsFile({
    upstreams: [
      { name: 'first', base_url: first.url, region: 'eu-west-1', tags: ['production'] },
      {
        name: 'second',
        base_url: second.url,
        connections: 7,
        aliases: { fast: 'gpt-4o-mini' },
        credential: { env: 'SECOND_KEY' },
      },
    ],
  });
  gateway = await startGateway();
});
beforeEach(async () => {
  for (const provider of [first, second]) provider.reset();
  listModels();
  for (const name of ['first', 'second']) await gateway.admin('POST', `/admin/upstreams/${name}/resume`);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.stop(), second.stop()]);
  file[Symbol.dispose]();
});

async function startGateway(): Promise<TestGateway> {
  const started = await TestGateway.start({ ...file.env, SECOND_KEY: SECRET }, { upstream: first });
  await until(() => started.app.get(ModelCatalog).complete);
  return started;
}

function listModels(): void {
  listsOnly(first, 'gpt-4o-mini', 'o3');
  listsOnly(second, 'gpt-4o-mini');
}

const list = async (query = '') => (await gateway.admin<Listed>('GET', `/admin/upstreams${query}`)).body;
const get = async (name: string, of = gateway) => (await of.admin('GET', `/admin/upstreams/${name}`)).body;
const post = (path: string) => gateway.admin('POST', `/admin/upstreams/${path}`);

describe('GET /admin/upstreams', () => {
  test('lists every upstream in the order of the file with its settings and figures, without its credential', async () => {
    const body = await list();
    expect(body).toEqual({
      total: 2,
      has_more: false,
      loaded_at: TIME,
      reload_failed: false,
      upstreams: [
        {
          name: 'first',
          base_url: first.url,
          apis: ['openai'],
          status: 'ready',
          draining_since: null,
          models: 2,
          aliases: {},
          region: 'eu-west-1',
          tags: ['production'],
          connections: expect.any(Number),
          running: 0,
          waiting: 0,
          share: 1,
          latency_ms: null,
          ...COUNTS,
        },
        {
          name: 'second',
          base_url: second.url,
          apis: ['openai'],
          status: 'ready',
          draining_since: null,
          models: 2,
          aliases: { fast: 'gpt-4o-mini' },
          region: null,
          tags: [],
          connections: expect.any(Number),
          running: 0,
          waiting: 0,
          share: 1,
          latency_ms: null,
          ...COUNTS,
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  test('upstreams are listed in pages', async () => {
    const page = await list('?limit=1&offset=1');
    expect(page).toMatchObject({ total: 2, has_more: false, upstreams: [{ name: 'second' }] });
    expect(await list('?limit=1')).toMatchObject({ total: 2, has_more: true, upstreams: [{ name: 'first' }] });
  });

  test('reports a failed reload until a valid file is in use', async () => {
    const { reloads } = gateway.app.get(Config).upstreams!;
    reloads.fail();
    expect((await list()).reload_failed).toBe(true);
    reloads.apply(reloads.file);
    expect((await list()).reload_failed).toBe(false);
  });

  test('counts requests, and shows the upstream that limits them', async () => {
    // A separate gateway, because the upstream stays limited.
    const limited = await startGateway();
    first.on('POST', '/v1/chat/completions', () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} }));
    expect((await limited.chat(await limited.createKey())).status).toBe(200);
    expect(await get('first', limited)).toMatchObject({ status: 'limited', share: 0, attempts: 1, failovers: 1 });
    expect(await get('second', limited)).toMatchObject({ status: 'ready', share: 1, attempts: 1, failovers: 0 });
    await limited.stop();
  });
});

describe('POST /admin/upstreams/{name}/test', () => {
  test('reads the model list with the credential of the upstream', async () => {
    const { status, body } = await post('second/test');
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        status: 200,
        latency_ms: expect.any(Number),
        models: 1,
        message: 'The upstream returned its model list.',
      },
    ]);
    expect(second.requests.map((request) => [request.route, request.header('authorization')])).toEqual([
      ['GET /v1/models', `Bearer ${SECRET}`],
    ]);
  });

  test('reports a rejected credential as 200 with the status of the provider', async () => {
    second.on('GET', '/v1/models', () => ({ status: 401, body: { error: { message: SECRET } } }));
    const { status, body } = await post('second/test');
    expect([status, body]).toMatchObject([200, { ok: false, status: 401, models: null }]);
    expect(body.message).toContain('rejects the credential');
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  test('a rejected credential is shown until a test succeeds', async () => {
    second.on('GET', '/v1/models', () => ({ status: 401, body: {} }));
    await post('second/test');
    expect(await get('second')).toMatchObject({ status: 'refused' });
    second.reset();
    expect((await post('second/test')).body).toMatchObject({ ok: true });
    expect(await get('second')).toMatchObject({ status: 'ready' });
  });
});

describe('POST /admin/upstreams/{name}/drain and /resume', () => {
  test('a drained upstream gets no new request until it is resumed', async () => {
    const key = await gateway.createKey();
    const upstreamOf = async () => (await gateway.chat(key)).headers.get('x-gw-upstream');
    expect(await post('second/drain')).toMatchObject({
      status: 200,
      body: { name: 'second', status: 'draining', draining_since: TIME },
    });
    expect(await get('second')).toMatchObject({ status: 'draining', draining_since: TIME });
    for (let nth = 0; nth < 5; nth++) expect(await upstreamOf()).toBe('first');
    await post('first/drain');
    expect((await gateway.chat(key)).status).toBe(503);
    expect(await post('second/resume')).toMatchObject({ status: 200, body: { status: 'ready', draining_since: null } });
    expect(await upstreamOf()).toBe('second');
  });

  test('each change writes one audit row, and a repeated one writes none', async () => {
    for (const path of ['first/drain', 'first/drain', 'first/resume', 'first/resume']) await post(path);
    const { body } = await gateway.admin<{ logs: Record<string, unknown>[] }>(
      'GET',
      '/admin/audit-logs?target_id=first',
    );
    expect(body.logs.slice(0, 2)).toMatchObject([
      { action: 'upstream.resumed', actor_type: 'admin_key', target_type: 'upstream', target_id: 'first' },
      { action: 'upstream.drained', actor_type: 'admin_key', target_type: 'upstream', target_id: 'first' },
    ]);
    const times = body.logs.filter(({ action }) => action === 'upstream.drained');
    for (const path of ['first/resume', 'first/resume']) await post(path);
    const again = await gateway.admin<{ logs: object[] }>(
      'GET',
      '/admin/audit-logs?target_id=first&action=upstream.drained',
    );
    expect(again.body.logs).toHaveLength(times.length);
  });

  test('a viewer can read upstreams, but not test, drain or resume them', async () => {
    const viewer = await OperatorSession.of(gateway, 'viewer');
    expect((await viewer.call('GET', '/admin/upstreams/first')).status).toBe(200);
    for (const action of ['test', 'drain', 'resume'])
      expect(errorCodeIn(await viewer.call('POST', `/admin/upstreams/first/${action}`))).toBe('403 forbidden');
  });
});

test.each([
  'GET /admin/upstreams/third',
  ...['test', 'drain', 'resume'].map((at) => `POST /admin/upstreams/third/${at}`),
])('%s returns 404 for a name that is not in the file', async (route) => {
  const [method = '', path = ''] = route.split(' ');
  expect(errorCodeIn(await gateway.admin(method, path))).toBe('404 not_found');
});

test('without GW_UPSTREAMS the list is empty', async () => {
  const single = await TestGateway.start({}, { upstream: first });
  const { body } = await single.admin<Listed>('GET', '/admin/upstreams');
  const { status } = await single.admin('GET', '/admin/upstreams/default');
  await single.stop();
  expect([body, status]).toEqual([
    { total: 0, has_more: false, loaded_at: null, reload_failed: false, upstreams: [] },
    404,
  ]);
});
