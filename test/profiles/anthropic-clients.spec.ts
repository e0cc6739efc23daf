import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestGateway, type Response, type Key } from '../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { MODELS } from '../support/scripted-upstream-responses.js';
import { startBothProfiles, type BothProfiles } from './both-profiles.js';

const VERSION = { 'anthropic-version': '2023-06-01' };

let profiles: BothProfiles;
let current: TestGateway;
let specified: TestGateway;
let key: Key;
beforeAll(async () => {
  profiles = await startBothProfiles();
  ({ current, specified, key } = profiles);
});
afterAll(() => profiles.stop());
beforeEach(() => current.upstream.reset());

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

const list = (query = '', headers: Record<string, string> = VERSION) =>
  current.call<Page>('GET', `/v1/models${query}`, { headers: { 'x-api-key': key.key, ...headers } });
const idsOf = ({ body }: Response<Page>) => body.data.map(({ id }) => id);
const ALL = MODELS.map(({ id }) => id);

describe('Anthropic clients with GW_PROFILE=current', () => {
  test('x-api-key authenticates on every /v1 route unless Authorization is also sent', async () => {
    expect((await list('', {})).status).toBe(200);
    expect((await current.call('GET', '/v1/usage', { headers: { 'x-api-key': key.key } })).status).toBe(200);
    expect((await list('', { authorization: 'Bearer wrong' })).status).toBe(401);
  });

  test('a request with anthropic-version gets models in Anthropic’s format', async () => {
    const response = await list();
    expect(idsOf(response)).toEqual(ALL);
    expect(response.body).toMatchObject({ has_more: false, first_id: ALL[0], last_id: ALL.at(-1) });
    expect(response.body).not.toHaveProperty('object');
    expect(response.body.data[0]).toMatchObject({
      type: 'model',
      id: ALL[0],
      display_name: expect.any(String) as unknown as string,
    });
    expect(response.body.data[0]).toMatchObject({
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as unknown as string,
    });
    const one = await current.call('GET', `/v1/models/${ALL[0]}`, { key, headers: VERSION });
    expect(one.body).toEqual(response.body.data[0]);
  });

  test('a request without anthropic-version gets models in OpenAI’s format', async () => {
    const { body } = await list('', {});
    expect(body).toMatchObject({ object: 'list', data: ALL.map((id) => ({ id, object: 'model' })) });
  });

  test.each(['1000', '201', '0', '-1', 'many', ''])('limit=%s is accepted and lists all models', async (limit) => {
    expect(idsOf(await list(`?limit=${limit}`))).toEqual(ALL);
    expect(idsOf(await list(`?limit=${limit}`, {}))).toEqual(ALL);
  });

  test('forward pages with after_id list every model once', async () => {
    const seen: string[] = [];
    let page = await list('?limit=7');
    for (; page.body.has_more; page = await list(`?limit=7&after_id=${page.body.last_id}`)) seen.push(...idsOf(page));
    expect([...seen, ...idsOf(page)]).toEqual(ALL);
  });

  test('backward pages with before_id list every model once', async () => {
    const seen: string[] = [];
    let page = await list(`?limit=5&before_id=${ALL.at(-1)}`);
    for (; page.body.has_more; page = await list(`?limit=5&before_id=${page.body.first_id}`))
      seen.unshift(...idsOf(page));
    expect([...idsOf(page), ...seen]).toEqual(ALL.slice(0, -1));
  });

  test('an unknown cursor selects no model', async () => {
    expect((await list('?after_id=gone')).body).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });

  test.each<[string, string, Record<string, unknown>, number, string]>([
    ['a blocked model', '/v1/messages', { model: 'unknown-model' }, 403, 'permission_error'],
    ['a wrong field', '/v1/messages', { model: 7 }, 400, 'invalid_request_error'],
    ['an unknown route', '/v1/messages/a/b/c', {}, 404, 'not_found_error'],
  ])('%s gets one of Anthropic’s error types on %s', async (_what, path, body, status, type) => {
    const response = await current.call('POST', path, { key, body });
    const id = response.headers.get('x-request-id');
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ type: 'error', error: { type, request_id: id }, request_id: id });
    expect(response.headers.get('request-id')).toBe(id);
  });

  test('an exceeded rate limit gets rate_limit_error, and an unknown key authentication_error', async () => {
    const slow = await current.createKey({ rpm_limit: 1 });
    await current.call('GET', '/v1/models', { key: slow });
    const refused = await current.call('GET', '/v1/models', { key: slow, headers: VERSION });
    expect(refused.body).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    const unknown = await current.call('GET', '/v1/models', { headers: { ...VERSION, 'x-api-key': 'sk-x' } });
    expect(unknown.body).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });

  test('a provider error returns a 502 with api_error', async () => {
    current.upstream.on('POST', '/v1/messages', (_request, response) => void response.writeHead(500).end());
    const body = { model: 'claude-3-haiku-20240307', max_tokens: 5, messages: [] };
    const received = await current.call('POST', '/v1/messages', { key, body });
    expect([received.status, received.body]).toMatchObject([
      502,
      { error: { type: 'api_error', code: 'upstream_error' } },
    ]);
  });

  test('OpenAI clients get the gateway’s error envelope', async () => {
    const response = await current.chat(key, { model: 'unknown-model' });
    expect(response.body).toMatchObject({ error: { type: 'authentication_error', code: 'model_not_available' } });
    expect(response.body).not.toHaveProperty('type');
  });
});

describe('separate Anthropic account', () => {
  const CLAUDE = {
    id: 'claude-next-1',
    type: 'model',
    display_name: 'Claude Next',
    created_at: '2026-10-01T00:00:00Z',
  };
  const MESSAGE = { model: CLAUDE.id, max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] };
  let anthropic: ScriptedUpstream;
  beforeAll(async () => {
    anthropic = await startUpstream();
  });
  afterAll(() => anthropic.stop());
  const listsClaude = () =>
    anthropic.on('GET', '/v1/models', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [CLAUDE], has_more: false, first_id: CLAUDE.id, last_id: CLAUDE.id }));
    });
  /** Runs `check` with a gateway of this profile and one of its API keys. */
  async function withGateway(profile: string, check: (gateway: TestGateway, own: Key) => Promise<void>): Promise<void> {
    const account = { GW_UPSTREAM_MESSAGES_BASE_URL: anthropic.url, GW_UPSTREAM_MESSAGES_API_KEY: 'sk-ant-x' };
    const gateway = await TestGateway.start({ GW_PROFILE: profile, ...account }, { upstream: current.upstream });
    try {
      await check(gateway, await gateway.createKey());
    } finally {
      await gateway.stop();
    }
  }
  const listedBy = async (gateway: TestGateway, own: Key) =>
    idsOf(await gateway.call<Page>('GET', '/v1/models', { key: own }));

  test('the account’s models are listed and served on /v1/messages', async () => {
    listsClaude();
    await withGateway('current', async (gateway, own) => {
      const page = await gateway.call<Page>('GET', '/v1/models', { key: own, headers: VERSION });
      expect(idsOf(page)).toEqual([...ALL, CLAUDE.id]);
      expect(page.body.data.at(-1)).toMatchObject(CLAUDE);
      anthropic.on('POST', '/v1/messages', (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
      expect((await gateway.call('POST', '/v1/messages', { key: own, body: MESSAGE })).status).toBe(200);
    });
  });

  test('the other models stay listed if the account’s model list cannot be read', async () => {
    anthropic.on('GET', '/v1/models', (_request, response) => void response.writeHead(500).end());
    await withGateway('current', async (gateway, own) => expect(await listedBy(gateway, own)).toEqual(ALL));
  });

  test('the account’s models are not listed in the specification profile', async () => {
    listsClaude();
    await withGateway('specification', async (gateway, own) => expect(await listedBy(gateway, own)).toEqual(ALL));
  });
});

describe('Anthropic clients with GW_PROFILE=specification', () => {
  test('x-api-key is not accepted on /v1/models', async () => {
    const own = await specified.createKey();
    const { status, body } = await specified.call('GET', '/v1/models', {
      headers: { 'x-api-key': own.key, ...VERSION },
    });
    expect([status, body]).toMatchObject([401, { error: { code: 'missing_api_key' } }]);
    expect(body).not.toHaveProperty('type');
  });

  test('the model list has only OpenAI’s format, and a limit above 200 returns a 400', async () => {
    const own = await specified.createKey();
    expect((await specified.call('GET', '/v1/models?limit=201', { key: own, headers: VERSION })).status).toBe(400);
    const { body } = await specified.call('GET', '/v1/models?after_id=gone', { key: own, headers: VERSION });
    expect(body).toMatchObject({ object: 'list', data: MODELS.map(({ id }) => ({ id, object: 'model' })) });
  });

  test('errors on /v1/messages have the gateway’s types', async () => {
    const own = await specified.createKey();
    const { body } = await specified.call('POST', '/v1/messages', { key: own, body: { model: 'unknown-model' } });
    expect(body).toMatchObject({ type: 'error', error: { type: 'authentication_error', code: 'model_not_available' } });
    expect(body).not.toHaveProperty('request_id');
  });
});
