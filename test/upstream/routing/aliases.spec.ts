import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorCodeIn } from '../../support/responses.js';
import { BOUNDARY, file, formOf, text } from '../../support/multipart-forms.js';
import { until } from '../../support/until.js';
import type { Key } from '../../support/gateway.js';
import { RoutedGateway, respondsWith } from './routed-gateway.js';

const CHAT = 'POST /v1/chat/completions';

describe('aliases', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [
        {
          name: 'first',
          models: ['gpt-4o', 'o3-mini', 'text-embedding-3-small'],
          aliases: { fast: 'gpt-4o-mini', listen: 'whisper-1', embed: 'text-embedding-3-small', base: 'davinci-002' },
        },
        { name: 'second', models: ['gpt-4.1', 'whisper-1'], aliases: { fast: 'gpt-4.1', listen: 'gpt-4o-transcribe' } },
      ],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  const bodiesAt = (name: string, route = CHAT) =>
    routed
      .provider(name)
      .requests.filter((one) => one.route === route)
      .map(({ body }) => body);
  const raw = (path: string, body: string) => routed.gateway.call('POST', path, { key, body });

  test.each([
    ['{"model":"fast","messages":[{"role":"user","content":"fast"}]}'],
    [
      ' {\n "messages" : [ { "role":"user" , "content":"\\u0066ast \\u00e9 é 日本" } ] ,\t"mod\\u0065l"  :\r\n "f\\u0061st" , "temperature" : 1.0e0 }\n',
    ],
    [
      '{"metadata":{"model":"fast"},"messages":[{"role":"user","content":"\\"model\\":\\"fast\\""}],"model":"fast","seed":12345678901234567890}',
    ],
  ])('only the string of the model changes in the body %j', async (body) => {
    const response = await raw('/v1/chat/completions', body);
    expect([response.status, response.body['model']]).toEqual([200, 'gpt-4o-mini']);
    const expected = body.replace(/("mod(?:el|\\u0065l)"\s*:\s*)"f(?:a|\\u0061)st"(?!\}[,\]])/, '$1"gpt-4o-mini"');
    expect(expected).not.toBe(body);
    expect(bodiesAt('first').map(String)).toEqual([expected]);
  });

  test('a body of 9 MB keeps its bytes', async () => {
    const [head, content] = [
      '{"messages":[{"role":"user","content":"',
      'é"model":"fast"'.replaceAll('"', '\\"').repeat(480_000),
    ];
    const body = (model: string) => `${head}${content}"}],"model":"${model}"}`;
    expect((await raw('/v1/chat/completions', body('fast'))).status).toBe(200);
    expect(bodiesAt('first')[0]!.equals(Buffer.from(body('gpt-4o-mini')))).toBe(true);
  });

  test('on failover, each upstream gets the model that the alias means there', async () => {
    respondsWith(routed.provider('first'), 503);
    const response = await routed.gateway.chat(key, { model: 'fast' });
    expect([response.status, response.headers.get('x-gw-upstream'), response.body['model']]).toEqual([
      200,
      'second',
      'gpt-4.1',
    ]);
    const models = ['first', 'second'].map(
      (name) => (JSON.parse(String(bodiesAt(name)[0])) as { model: string }).model,
    );
    expect(models).toEqual(['gpt-4o-mini', 'gpt-4.1']);
    const { model, attempts } = await routed.logOf(response);
    expect([model, attempts?.map((attempt) => attempt.model)]).toEqual(['fast', ['gpt-4o-mini', 'gpt-4.1']]);
  });

  test('the body is not changed if the upstream serves the model itself', async () => {
    const body = '{"model" : "gpt-4o","messages":[{"role":"user","content":"x"}]}';
    expect((await raw('/v1/chat/completions', body)).status).toBe(200);
    expect(bodiesAt('first').map(String)).toEqual([body]);
  });

  test('only the text of the model part of a form changes, on each attempt', async () => {
    const route = 'POST /v1/audio/transcriptions';
    routed.provider('first').on('POST', '/v1/audio/transcriptions', () => ({ status: 503, body: {} }));
    routed.provider('second').on('POST', '/v1/audio/transcriptions', () => ({ body: { text: 'Hello' } }));
    const audio = Buffer.concat([Buffer.from('RIFF\r\n--'), Buffer.from(Array.from({ length: 256 }, (_, at) => at))]);
    const form = (model: string) =>
      formOf([file('file', audio), text('prompt', 'listen'), text('model', model), text('language', 'en')]);
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const response = await routed.gateway.call('POST', '/v1/audio/transcriptions', {
      key,
      body: form('listen'),
      headers,
    });
    expect([response.status, response.text]).toEqual([200, '{"text":"Hello"}']);
    expect(bodiesAt('first', route)[0]!.equals(form('whisper-1'))).toBe(true);
    expect(bodiesAt('second', route)[0]!.equals(form('gpt-4o-transcribe'))).toBe(true);
  });

  test('a legacy completion of an alias of a chat model is emulated', async () => {
    const response = await routed.gateway.call('POST', '/v1/completions', {
      key,
      body: { model: 'fast', prompt: 'Hi' },
    });
    expect([response.status, response.body['object']]).toEqual([200, 'text_completion']);
    expect(JSON.parse(String(bodiesAt('first')[0]))).toMatchObject({ model: 'gpt-4o-mini' });
  });

  test('a legacy completion of an alias of a base model is forwarded unchanged', async () => {
    routed
      .provider('first')
      .on('POST', '/v1/completions', () => ({ body: { object: 'text_completion', choices: [] } }));
    const body = '{"model":"base","prompt":"Hi"}';
    expect((await raw('/v1/completions', body)).status).toBe(200);
    expect(bodiesAt('first', 'POST /v1/completions').map(String)).toEqual(['{"model":"davinci-002","prompt":"Hi"}']);
  });

  test('the model list names aliases and their targets', async () => {
    const response = await routed.gateway.call<{ data: { id: string }[] }>('GET', '/v1/models', { key });
    expect(response.body.data.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['fast', 'listen', 'embed', 'gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'whisper-1']),
    );
  });

  test('the target of an alias must fit the route', async () => {
    const response = await routed.gateway.chat(key, { model: 'embed' });
    expect(errorCodeIn(response)).toBe('400 model_endpoint_mismatch model');
    expect(routed.counts()).toEqual({ first: 0, second: 0 });
  });

  test.each([
    ['a tool', { tools: [{ type: 'web_search', model: 'fast' }] }],
    ['models', { models: ['fast'] }],
    ['fallbacks', { fallbacks: ['fast'] }],
  ])('an alias in %s is refused, because nothing there is replaced', async (_, fields) => {
    const response = await routed.gateway.chat(key, { model: 'gpt-4o', ...fields });
    expect([response.status, routed.counts()]).toEqual([403, { first: 0, second: 0 }]);
  });

  test('a request that repeats its model is rejected before an upstream is chosen', async () => {
    const response = await raw(
      '/v1/chat/completions',
      '{"model":"fast","model":"gpt-4o","messages":[{"role":"user","content":"x"}]}',
    );
    expect([response.status, routed.counts()]).toEqual([400, { first: 0, second: 0 }]);
  });

  test('a blocked model cannot be used by its alias, and a blocked alias cannot be used', async () => {
    const block = (model: string, enabled: boolean | null) =>
      enabled === null
        ? routed.gateway.admin('DELETE', `/admin/model-allowlist/${model}`)
        : routed.gateway.admin('POST', '/admin/model-allowlist', { model, enabled });
    const served = async () => (await routed.gateway.chat(key, { model: 'fast' })).headers.get('x-gw-upstream');
    const edit = () =>
      routed.gateway.call('POST', '/v1/images/edits', {
        key,
        body: formOf([file('image', 'x', 'a.png'), text('prompt', 'x')]),
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      });
    await block('gpt-4o-mini', false);
    await until(async () => (await served()) === 'second');
    await block('gpt-4.1', false);
    await until(async () => (await served()) === null);
    expect((await routed.gateway.chat(key, { model: 'fast' })).status).toBe(403);
    await block('gpt-4.1', null);
    await block('gpt-4o-mini', null);
    await block('fast', false);
    await until(async () => (await routed.gateway.chat(key, { model: 'fast' })).status === 403);
    expect((await routed.gateway.chat(key, { model: 'gpt-4o-mini' })).status).toBe(200);
    // A provider cannot choose an alias, so a request without a model is not affected.
    expect(errorCodeIn(await edit())).not.toMatch(/model_not_available/);
    await block('fast', null);
    await until(async () => (await served()) === 'first');
    await block('a-custom-model', false);
    await until(async () => errorCodeIn(await edit()) === '403 model_not_available model');
    await block('a-custom-model', null);
  });
});

describe('a key with allowed models', () => {
  let routed: RoutedGateway;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [
        { name: 'cheap', models: ['gpt-4o-mini'], aliases: { 'gpt-4o': 'gpt-4o-mini', smart: 'gpt-4.1' } },
        { name: 'real', models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1'], aliases: { smart: 'o3-mini' } },
      ],
    });
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  const responseOf = async (allowed: readonly string[], model: string) => {
    const key = await routed.gateway.createKey({ allowed_models: allowed });
    const response = await routed.gateway.chat(key, { model });
    return { status: response.status, upstream: response.headers.get('x-gw-upstream'), counts: routed.counts() };
  };

  test('each attempt of a key with allowed models is checked by the model that is sent upstream, not by the alias', async () => {
    respondsWith(routed.provider('cheap'), 503);
    expect(await responseOf(['gpt-4o-mini'], 'gpt-4o')).toEqual({
      status: 502,
      upstream: 'cheap',
      counts: { cheap: 1, real: 0 },
    });
  });

  test('a key with allowed models skips an upstream where the name means another model', async () => {
    expect(await responseOf(['gpt-4o'], 'gpt-4o')).toEqual({
      status: 200,
      upstream: 'real',
      counts: { cheap: 0, real: 1 },
    });
    expect(await responseOf(['o3-mini'], 'smart')).toEqual({
      status: 200,
      upstream: 'real',
      counts: { cheap: 0, real: 2 },
    });
  });

  test('a key whose allowed models contain only the alias cannot use it', async () => {
    expect(await responseOf(['smart'], 'smart')).toEqual({
      status: 403,
      upstream: null,
      counts: { cheap: 0, real: 0 },
    });
  });

  test('a key with allowed models can use an alias of an allowed model on both upstreams', async () => {
    respondsWith(routed.provider('cheap'), 503);
    expect(await responseOf(['gpt-4.1', 'o3-mini'], 'smart')).toEqual({
      status: 200,
      upstream: 'real',
      counts: { cheap: 1, real: 1 },
    });
  });
});
