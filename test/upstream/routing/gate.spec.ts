import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCodeIn } from '../../support/responses.js';
import { ModelCatalog } from '../../../src/model-policy/catalog.service.js';
import type { Key } from '../../support/gateway.js';
import { MESSAGE, RESPONSE as MESSAGE_RESPONSE } from '../../support/message-responses.js';
import { startUpstream } from '../../support/scripted-upstream.js';
import { until } from '../../support/until.js';
import { onlyModels, RoutedGateway } from './routed-gateway.js';

const CLAUDE = MESSAGE.model;

describe('models and APIs of upstreams', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start(
      {
        upstreams: [
          { name: 'openai', models: ['gpt-4o', 'gpt-4o-mini', 'shared'] },
          { name: 'claude', apis: ['anthropic'], models: [CLAUDE, 'shared'] },
          { name: 'other', models: ['gpt-4.1', 'gpt-4o-mini'] },
        ],
      },
      { GW_PROFILE: 'current' },
    );
    key = await routed.gateway.createKey();
  });
  beforeEach(() => {
    routed.reset();
    for (const provider of routed.providers.values())
      provider.on('POST', '/v1/messages', () => ({ body: MESSAGE_RESPONSE }));
  });
  afterAll(() => routed.stop());

  const requestsAt = (name: string) => routed.provider(name).requests.map(({ route }) => route);
  const chat = (fields: Record<string, unknown>) => routed.gateway.chat(key, fields);
  const message = (fields: Record<string, unknown>) =>
    routed.gateway.call('POST', '/v1/messages', { key, body: { ...MESSAGE, ...fields } });

  test('a model that only the Anthropic upstream serves does not fit /v1/chat/completions', async () => {
    const response = await chat({ model: CLAUDE });
    expect([errorCodeIn(response), response.text.includes('/v1/messages')]).toEqual([
      '400 model_endpoint_mismatch model',
      true,
    ]);
    expect([...routed.providers.values()].flatMap(({ requests }) => requests)).toEqual([]);
  });

  test('a model that only an OpenAI upstream serves does not fit /v1/messages', async () => {
    const response = await message({ model: 'gpt-4o' });
    expect([errorCodeIn(response), response.text.includes('/v1/chat/completions')]).toEqual([
      '400 model_endpoint_mismatch model',
      true,
    ]);
    expect([...routed.providers.values()].flatMap(({ requests }) => requests)).toEqual([]);
  });

  test('a key without the model returns 403, not a hint about other upstreams', async () => {
    const limited = await routed.gateway.createKey({ allowed_models: ['gpt-4o'] });
    const response = await routed.gateway.chat(limited, { model: CLAUDE });
    expect(errorCodeIn(response)).toBe('403 model_not_allowed model');
  });

  test('each upstream gets only requests of its API', async () => {
    expect((await chat({ model: 'gpt-4o' })).status).toBe(200);
    expect((await message({})).status).toBe(200);
    expect((await routed.gateway.call('GET', `/v1/models/${CLAUDE}`, { key })).status).toBe(200);
    expect([requestsAt('openai'), requestsAt('claude'), requestsAt('other')]).toEqual([
      ['POST /v1/chat/completions'],
      ['POST /v1/messages'],
      [],
    ]);
  });

  test('the credential and version of the Anthropic API go to the Anthropic upstream only', async () => {
    await message({});
    const [request] = routed.provider('claude').requests;
    expect([request!.header('anthropic-version'), request!.header('authorization')]).toEqual(['2023-06-01', undefined]);
    await chat({ model: 'gpt-4o' });
    expect(routed.provider('openai').requests[0]!.header('anthropic-version')).toBeUndefined();
  });

  test('a shared path belongs to the API that the client speaks', async () => {
    for (const name of ['openai', 'claude'])
      routed.provider(name).on('GET', '/v1/files', () => ({ body: { data: [] } }));
    expect((await routed.gateway.call('GET', '/v1/files', { key })).headers.get('x-gw-upstream')).toBe('openai');
    const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': key.key };
    const response = await routed.gateway.call('GET', '/v1/files', { headers });
    expect(response.headers.get('x-gw-upstream')).toBe('claude');
  });

  test.each([
    ['gpt-4o', 'gpt-4o-mini', 'openai'],
    ['gpt-4.1', 'gpt-4o-mini', 'other'],
    ['gpt-4o-mini', 'gpt-4.1', 'other'],
    ['gpt-4o', 'gpt-4.1', null],
    ['gpt-4o', CLAUDE, null],
  ])('a request for %s that also names %s goes to %s', async (model, nested, upstream) => {
    const response = await chat({ model, models: [nested] });
    if (upstream === null) expect(response.status).toBe(403);
    else expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, upstream]);
    const others = [...routed.providers.keys()].filter((name) => name !== upstream);
    expect(others.flatMap(requestsAt)).toEqual([]);
  });
});

describe('routes of models', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    const models = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o1', 'o3-mini', 'deepseek-chat'];
    routed = await RoutedGateway.start({
      upstreams: ['a', 'b', 'c'].map((name) => ({ name, models })),
      routes: [
        { models: 'gpt-4o', upstreams: ['c', 'a'] },
        { models: 'gpt-4o*', upstreams: ['b'] },
        {
          models: 'gpt-*',
          upstreams: [
            { name: 'a', weight: 3 },
            { name: 'b', weight: 1 },
          ],
        },
        { models: 'o1', upstreams: ['a', 'b', 'c'], sticky: 'key' },
        { models: 'o3*', upstreams: ['a', 'b', 'c'], sticky: 'conversation' },
      ],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  const upstreamOf = async (fields: Record<string, unknown>, by = key) =>
    (await routed.gateway.chat(by, fields)).headers.get('x-gw-upstream')!;

  test.each([
    ['gpt-4o', 'c'],
    ['gpt-4o-mini', 'b'],
    ['deepseek-chat', 'a'],
  ])('%s goes to %s, because the first match wins', async (model, upstream) => {
    expect(await upstreamOf({ model })).toBe(upstream);
  });

  test('a route names all upstreams that can get the request', async () => {
    for (const name of ['a', 'c'])
      routed.provider(name).on('POST', '/v1/chat/completions', () => ({ status: 503, body: {} }));
    expect((await routed.gateway.chat(key, { model: 'gpt-4o' })).status).toBe(502);
    expect(routed.counts()).toEqual({ a: 1, b: 0, c: 1 });
  });

  test('weights divide the requests', async () => {
    for (let round = 0; round < 20; round++)
      await Promise.all(Array.from({ length: 20 }, () => upstreamOf({ model: 'gpt-4.1' })));
    const { a, b, c } = routed.counts();
    expect([a! + b!, c]).toEqual([400, 0]);
    expect(a).toBeGreaterThan(250);
    expect(a).toBeLessThan(350);
  });

  test('sticky requests of a key stay at one upstream, and keys are spread', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => routed.gateway.createKey()));
    const chosen = await Promise.all(
      keys.map(async (each) => {
        const own = await Promise.all(Array.from({ length: 4 }, () => upstreamOf({ model: 'o1' }, each)));
        expect(new Set(own).size).toBe(1);
        return own[0]!;
      }),
    );
    expect(new Set(chosen).size).toBeGreaterThan(1);
  });

  test('sticky conversations stay at one upstream, and conversations are spread', async () => {
    const chosen = new Set<string>();
    for (let conversation = 0; conversation < 12; conversation++) {
      const turns = [
        { role: 'user', content: `Conversation ${conversation}` },
        { role: 'assistant', content: 'Yes?' },
      ];
      const own = [await upstreamOf({ model: 'o3-mini', messages: turns })];
      for (let at = 0; at < 2; at++) {
        turns.push({ role: 'user', content: `Turn ${at}` });
        own.push(await upstreamOf({ model: 'o3-mini', messages: turns }));
      }
      expect(new Set(own).size).toBe(1);
      chosen.add(own[0]!);
    }
    expect(chosen.size).toBeGreaterThan(1);
  });
});

describe('model lists that cannot be read', () => {
  test('an unknown model goes only to upstreams whose list is unknown, and is served', async () => {
    const [read, unread] = [await startUpstream(), await startUpstream()];
    onlyModels(read, 'gpt-4o');
    unread.on('GET', '/v1/models', () => ({ status: 500, body: {} }));
    const routed = await RoutedGateway.start(
      {
        upstreams: [{ name: 'read' }, { name: 'unread', aliases: { fast: 'gpt-4.1' } }],
        routes: [{ models: 'o1*', upstreams: ['unread'] }],
      },
      {},
      {
        providers: new Map([
          ['read', read],
          ['unread', unread],
        ]),
      },
    );
    await until(() => routed.gateway.app.get(ModelCatalog).modelsOf('read') !== null);
    const key = await routed.gateway.createKey();
    for (const [model, upstream] of [
      ['gpt-4o', 'read'],
      ['gpt-4o-mini', 'unread'],
      ['fast', 'unread'],
      ['o1', 'unread'],
    ]) {
      const response = await routed.gateway.chat(key, { model });
      expect([model, response.status, response.headers.get('x-gw-upstream')]).toEqual([model, 200, upstream]);
    }
    onlyModels(unread, 'gpt-4.1');
    await routed.gateway.app.get(ModelCatalog).refresh();
    expect((await routed.gateway.chat(key, { model: 'gpt-4o-mini' })).status).toBe(403);
    expect((await routed.gateway.chat(key, { model: 'gpt-4.1' })).headers.get('x-gw-upstream')).toBe('unread');
    await routed.stop();
  });

  test('each upstream keeps its own list while another one is down', async () => {
    const [first, second] = [await startUpstream(), await startUpstream()];
    onlyModels(first, 'gpt-4o');
    onlyModels(second, 'gpt-4.1');
    const routed = await RoutedGateway.start(
      { upstreams: [{ name: 'first' }, { name: 'second' }] },
      {},
      {
        providers: new Map([
          ['first', first],
          ['second', second],
        ]),
      },
    );
    const key = await routed.gateway.createKey();
    await second.stop();
    expect(await routed.gateway.app.get(ModelCatalog).refresh()).toBe(false);
    expect((await routed.gateway.chat(key, { model: 'gpt-4o' })).headers.get('x-gw-upstream')).toBe('first');
    expect((await routed.gateway.chat(key, { model: 'gpt-4.1' })).status).toBe(502);
    expect(routed.counts()['first']).toBe(1);
    const list = await routed.gateway.call<{ data: { id: string }[] }>('GET', '/v1/models', { key });
    expect(list.body.data.map(({ id }) => id)).toEqual(['gpt-4o', 'gpt-4.1']);
    await routed.stop();
  });
});
