import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../../support/gateway.js';
import { CHAT, errorCodeIn } from '../../support/responses.js';
import { startGateway } from '../../support/ready-gateway.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

const chat = (body: unknown) => gateway.call('POST', '/v1/chat/completions', { key, body });

// test/proxy/chat covers every rule. These rows prove that the rules apply to real requests.
describe('chat request with an invalid field', () => {
  test.each<[object, string]>([
    [{ model: undefined }, 'missing_required_parameter model'],
    [{ messages: undefined }, 'missing_required_parameter messages'],
    [{ model: null }, 'invalid_type model'],
    [{ model: 5 }, 'invalid_type model'],
    [{ messages: null }, 'invalid_type messages'],
    [{ messages: [] }, 'invalid_value messages'],
    [{ messages: ['x'] }, 'invalid_type messages[0]'],
    [{ messages: [{ content: 'x' }] }, 'missing_required_parameter messages[0].role'],
    [{ messages: [{ role: 'user' }, { role: 'robot' }] }, 'invalid_value messages[1].role'],
    [{ stream: 'true' }, 'invalid_type stream'],
    [{ stream_options: { include_usage: true } }, 'invalid_value stream_options'],
    [{ temperature: 2.1 }, 'invalid_value temperature'],
    [{ temperature: '1' }, 'invalid_type temperature'],
    [{ n: 1.5 }, 'invalid_value n'],
    [{ n: 0 }, 'invalid_value n'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'invalid_value stop'],
    [{ stop: ['a', 'b', 3] }, 'invalid_type stop[2]'],
    [{ logit_bias: { '50256': 101 } }, 'invalid_value logit_bias.50256'],
    [{ top_logprobs: 2 }, 'invalid_value top_logprobs'],
    [{ user: 'x'.repeat(257) }, 'invalid_value user'],
    [{ seed: 1.5 }, 'invalid_value seed'],
    [{ reasoning_effort: 'huge' }, 'invalid_value reasoning_effort'],
    [{ thinking: { type: 'enabled' } }, 'missing_required_parameter thinking.budget_tokens'],
    [{ modalities: ['video'] }, 'invalid_value modalities[0]'],
    [{ modalities: ['audio'] }, 'missing_required_parameter audio'],
    [{ tools: [] }, 'invalid_value tools'],
    [{ tools: [{ type: 'function', function: { name: 'a b' } }] }, 'invalid_value tools[0].function.name'],
    [{ tool_choice: 'some' }, 'invalid_value tool_choice'],
    [
      { response_format: { type: 'json_schema', json_schema: {} } },
      'missing_required_parameter response_format.json_schema.name',
    ],
    [{ model: 'o1', temperature: 0.5 }, 'unsupported_value temperature'],
    [{ model: 'o1', n: 2 }, 'unsupported_value n'],
  ])('%j is rejected with 400 %s', async (fields, expected) => {
    expect(errorCodeIn(await chat({ ...CHAT, ...fields }))).toBe(`400 ${expected}`);
    expect(gateway.upstream.requests).toHaveLength(0);
  });
});

describe('null fields', () => {
  test('null in an optional field is accepted and forwarded unchanged', async () => {
    const optional = [
      'stream',
      'stream_options',
      'temperature',
      'stop',
      'user',
      'tools',
      'tool_choice',
      'audio',
      'n',
      'seed',
    ];
    const body = JSON.stringify({ ...CHAT, ...Object.fromEntries(optional.map((name) => [name, null])) });
    expect(errorCodeIn(await chat(body))).toBe('200');
    expect((await gateway.upstream.received(0)).body.toString()).toBe(body);
  });
});

test('an API key used as a field name is redacted in the error', async () => {
  const pasted = (await gateway.createKey()).key;
  const response = await chat({ ...CHAT, logit_bias: { [pasted]: 500 } });
  expect(errorCodeIn(response)).toBe('400 invalid_value logit_bias.sk-gw-[redacted]');
  expect(response.text).not.toContain(pasted.slice(6, 20));
});

describe('model gate', () => {
  test.each<[string, object, string]>([
    ['an empty model', { model: '' }, '403 model_not_available model'],
    ['a model of 200 characters', { model: 'x'.repeat(200) }, '403 model_not_available model'],
    ['a model of 201 characters', { model: 'x'.repeat(201) }, '400 invalid_value model'],
    ['a model of another kind', { model: 'text-embedding-3-small' }, '400 model_endpoint_mismatch model'],
    ['a realtime model', { model: 'gpt-4o-realtime-preview' }, '400 model_endpoint_mismatch model'],
    ['a custom model', { model: 'acme-custom-1' }, '200'],
    ['a model with a slash', { model: 'meta-llama/llama-3.3-70b-instruct' }, '200'],
    ['a different case', { model: 'GPT-4o-mini' }, '403 model_not_available model'],
    ['a leading space', { model: ' gpt-4o-mini' }, '403 model_not_available model'],
    ['an unknown fallback', { models: ['gpt-4o', 'nope'] }, '403 model_not_available model'],
    ['a fallback of another kind', { models: ['tts-1'] }, '400 model_endpoint_mismatch model'],
    ['suitable fallbacks', { models: ['gpt-4o', 'gpt-4.1'] }, '200'],
    ['64 fallbacks', { models: new Array(64).fill('gpt-4o') }, '200'],
    ['65 fallbacks', { models: new Array(65).fill('gpt-4o') }, '400 invalid_value models'],
  ])('the model gate decides on %s as documented', async (_what, fields, expected) =>
    expect(errorCodeIn(await chat({ ...CHAT, ...fields }))).toBe(expected),
  );

  test.each([
    ['an escaped models field', '{"p1":1,"\\\\u006d":1,', '{"p1":1,"\\u006dodels":["gpt-4.1"],'],
    ['a models field with an escaped end', '{"p2":1,"model\\\\":1,', '{"p2":1,"model\\u0073":["gpt-4.1"],'],
  ])('the allowed models apply to %s that V8 misreads after another body', async (_what, first, second) => {
    const limited = await gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
    const rest = JSON.stringify(CHAT).slice(1);
    const send = async (body: string) =>
      errorCodeIn(await gateway.call('POST', '/v1/chat/completions', { key: limited, body }));
    expect(await send(first + rest)).toBe('200');
    expect(await send(second + rest)).toBe('403 model_not_allowed model');
  });

  const advisor = (model: unknown) => ({ type: 'advisor_1', name: 'advisor', model });
  const own = { type: 'function', function: { name: 'f', parameters: { properties: { model: { default: 'nope' } } } } };
  test.each<[string, Record<string, unknown>, string]>([
    ['fallbacks by name', { fallbacks: ['gpt-4o', 'gpt-4.1'] }, '403 model_not_allowed model'],
    ['one fallback by name', { fallbacks: 'gpt-4.1' }, '403 model_not_allowed model'],
    ['fallbacks as objects', { fallbacks: [{ model: 'gpt-4.1', max_tokens: 5 }] }, '403 model_not_allowed model'],
    ['an unknown fallback', { fallbacks: [{ model: 'nope' }] }, '403 model_not_available model'],
    ['a fallback of over 200 characters', { fallbacks: ['x'.repeat(201)] }, '403 model_not_available model'],
    ['a plugin', { plugins: [{ id: 'p', model: 'gpt-4.1' }] }, '403 model_not_allowed model'],
    [
      'a list of a plugin',
      { plugins: [{ id: 'p', x: { analysis_models: ['gpt-4.1'] } }] },
      '403 model_not_allowed model',
    ],
    ['65 models of a plugin', { plugins: [{ models: new Array(65).fill('gpt-4o') }] }, '400 invalid_value plugins'],
    ['100,000 of a plugin', { plugins: [{ models: new Array(100_000).fill('m') }] }, '400 invalid_value plugins'],
    ['fallbacks by model', { fallbacks: [{ 'gpt-4o-mini': ['gpt-4.1'] }] }, '403 model_not_allowed model'],
    ['a map of fallbacks', { fallbacks: { 'gpt-4o-mini': ['gpt-4.1'] } }, '403 model_not_allowed model'],
    ['a map and a field', { fallbacks: [{ 'gpt-4o': ['gpt-4.1'], _model: 0 }] }, '403 model_not_allowed model'],
    ['a map and a model', { fallbacks: [{ 'gpt-4o': ['gpt-4.1'], model: 'gpt-4o' }] }, '403 model_not_allowed model'],
    ['a map and no models', { fallbacks: { 'gpt-4o': ['gpt-4.1'], models: [] } }, '403 model_not_allowed model'],
    ['context fallbacks', { context_window_fallbacks: [{ 'gpt-4o': ['gpt-4.1'] }] }, '403 model_not_allowed model'],
    ['policy fallbacks', { content_policy_fallbacks: [{ x: ['gpt-4o', 'nope'] }] }, '403 model_not_available model'],
    ['provider options', { providerOptions: { gateway: { models: ['gpt-4.1'] } } }, '403 model_not_allowed model'],
    ['compound models', { compound_custom: { models: { answering_model: 'gpt-4.1' } } }, '403 model_not_allowed model'],
    ['other lists of a fallback', { fallbacks: [{ model: 'gpt-4o', stop: ['gpt-4.1', 'nope'] }] }, '200'],
    ['allowed fallbacks by model', { fallbacks: [{ 'gpt-4.1': ['gpt-4o'] }] }, '200'],
    ['allowed models', { fallbacks: ['gpt-4o'], plugins: [{ id: 'p', model: 'gpt-4o', max: 'x' }] }, '200'],
    ['a speech model of a plugin', { plugins: [{ id: 'p', model: 'tts-1' }] }, '200'],
    ['one fallback per model', { fallbacks: [{ 'gpt-4o-mini': 'gpt-4.1' }] }, '403 model_not_allowed model'],
    ['a map of single fallbacks', { fallbacks: { 'gpt-4o-mini': 'gpt-4.1' } }, '403 model_not_allowed model'],
    ['context fallbacks', { context_window_fallback_dict: { 'gpt-4o': 'gpt-4.1' } }, '403 model_not_allowed model'],
    ['fallbacks in nested lists', { fallbacks: [[['gpt-4.1']]] }, '403 model_not_allowed model'],
    ['models as a string', { models: 'gpt-4.1' }, '403 model_not_allowed model'],
    ['models in nested lists', { models: [['gpt-4.1']] }, '403 model_not_allowed model'],
    ['models in an object', { models: { 0: 'gpt-4.1' } }, '403 model_not_allowed model'],
    ['models as objects', { models: [{ model: 'gpt-4.1' }] }, '403 model_not_allowed model'],
    ['models by ID', { models: [{ id: 'gpt-4.1' }] }, '403 model_not_allowed model'],
    ['allowed models as objects', { models: [{ model: 'gpt-4o', provider: 'x', stop: ['y'] }] }, '200'],
    ['a router list', { user_config: { model_list: [{ p: { model: 'gpt-4.1' } }] } }, '403 model_not_allowed model'],
    ['a model list', { model_list: [{ litellm_params: { model: 'gpt-4.1' } }] }, '403 model_not_allowed model'],
    [
      'fallbacks of a router',
      { router_settings_override: { fallbacks: [{ m: ['gpt-4.1'] }] } },
      '403 model_not_allowed model',
    ],
    [
      'a model alias',
      { router_settings_override: { model_group_alias: { m: 'gpt-4.1' } } },
      '403 model_not_allowed model',
    ],
    ['an extra body', { extra_body: { models: ['gpt-4.1'] } }, '403 model_not_allowed model'],
    ['tools in an extra body', { extra_body: { tools: [own, advisor('gpt-4.1')] } }, '403 model_not_allowed model'],
    ['a web search', { web_search_options: { model: 'gpt-4.1' } }, '403 model_not_allowed model'],
    [
      'provider options in snake case',
      { provider_options: { g: { models: ['gpt-4.1'] } } },
      '403 model_not_allowed model',
    ],
    ['fallback messages', { fallbacks: [{ model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }] }] }, '200'],
    ['function tools in a body', { extra_body: { tools: [own], user: 'x' }, web_search_options: { x: 'y' } }, '200'],
    ['65 nested lists', { extra_body: { models: new Array(65).fill(['gpt-4o']) } }, '400 invalid_value extra_body'],
    ['unrelated names', { plugins: [{ remodel: 'x', model_kind: 'y', model: { id: 'z' } }], tools: [own] }, '200'],
  ])('the allowed models of a key apply to every part of the body: %s', async (_what, fields, expected) => {
    const limited = await gateway.createKey({ allowed_models: ['gpt-4o-mini', 'gpt-4o', 'tts-1'] });
    expect(errorCodeIn(await gateway.chat(limited, fields))).toBe(expected);
  });

  test.each([
    ['?model=gpt-4.1', '400 invalid_value model'],
    ['?fallbac%E2%84%AAs=gpt-4.1', '400 invalid_value model'],
    ['?x=1;model%C5%BF=gpt-4.1', '400 invalid_value model'],
    ['?x=1&MODEL=gpt-4.1', '400 invalid_value model'],
    ['?mod%65ls=gpt-4.1', '400 invalid_value model'],
    ['?model', '400 invalid_value model'],
    ['?model[%0A]=gpt-4.1', '400 invalid_value model'],
    ['?model%5B%5D=gpt-4.1', '400 invalid_value model'],
    ['?x=1;models[0]=gpt-4.1', '400 invalid_value model'],
    ['?+model=gpt-4.1', '400 invalid_value model'],
    ['?%20model=gpt-4.1', '400 invalid_value model'],
    ['?%00model=gpt-4.1', '400 invalid_value model'],
    ['?x&model%20=gpt-4.1', '400 invalid_value model'],
    ['?model%00x=gpt-4.1', '400 invalid_value model'],
    ['?%C2%A0model=gpt-4.1', '400 invalid_value model'],
    ['?mod%2565l=gpt-4.1', '400 invalid_value model'],
    ['?fallbacks=gpt-4.1', '400 invalid_value model'],
    ['?context_window_fallbacks[]=gpt-4.1', '400 invalid_value model'],
    ['?model_kind=x&fallback=z&my.model=y&x=model', '200'],
    ['?', '200'],
  ])('the query %s gets %s', async (query, expected) => {
    const key = await gateway.createKey();
    const path = `/v1/chat/completions${query}`;
    expect(errorCodeIn(await gateway.call('POST', path, { key, body: CHAT }))).toBe(expected);
  });

  test('the allowed models of a key apply to vendor tools that call models', async () => {
    const limited = await gateway.createKey({ allowed_models: ['claude-3-5-sonnet-20241022'] });
    const message = {
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hello' }],
    };
    const schema = { name: 'f', input_schema: { properties: { model: { default: 'nope' } }, model: 'nope' } };
    gateway.upstream.on('POST', '/v1/messages', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"type":"message"}');
    });
    const refusal = async (tools: unknown) =>
      errorCodeIn(await gateway.call('POST', '/v1/messages', { key: limited, body: { ...message, tools } }));
    expect(await refusal([schema, { ...schema, type: 'custom' }, advisor('claude-3-5-sonnet-20241022')])).toBe('200');
    expect(await refusal([schema, advisor('gpt-4o')])).toBe('403 model_not_allowed model');
    expect(await refusal([advisor('nope')])).toBe('403 model_not_available model');
    const twice = JSON.stringify({ ...message, tools: [advisor('gpt-4o')] }).replace(
      '"gpt-4o"}',
      '"gpt-4o","model":"claude-3-5-sonnet-20241022"}',
    );
    const received = await gateway.call('POST', '/v1/messages', { key: limited, body: twice });
    expect(errorCodeIn(received)).toBe('400 invalid_value model');
  });

  test.each([
    [
      '/v1/chat/completions',
      '"type":"image_generation","model":"gpt-image-1","type":"function","function":{"name":"x"}',
    ],
    ['/v1/chat/completions', '"\\u0074ype":"image_generation","type":"function","function":{"name":"x"}'],
    ['/v1/chat/completions', '"type":"x","model":"gpt-4o-mini","c":{"model":"gpt-4.1"},"c":0'],
    ['/v1/responses', '"type":"image_generation","model":"gpt-image-1","type":"function","name":"x"'],
    ['/v1/messages', '"type":"advisor_1","name":"x","type":"custom","input_schema":{}'],
  ])('a tool with duplicate fields is rejected on %s: %s', async (path, tool) => {
    const limited = await gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
    const body = `${JSON.stringify({ ...CHAT, input: 'x', max_tokens: 9 }).slice(0, -1)},"tools":[{${tool}}]}`;
    expect(errorCodeIn(await gateway.call('POST', path, { key: limited, body }))).toBe('400 invalid_value tools');
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test('the allowed models of a key apply to the model and each fallback', async () => {
    const limited = await gateway.createKey({ allowed_models: ['gpt-4o-mini', 'gpt-4o'] });
    const refusal = async (fields: object) => errorCodeIn(await gateway.chat(limited, { ...fields }));
    expect(await refusal({ models: ['gpt-4o'] })).toBe('200');
    expect(await refusal({ model: 'gpt-4.1' })).toBe('403 model_not_allowed model');
    expect(await refusal({ models: ['gpt-4o', 'gpt-4.1'] })).toBe('403 model_not_allowed model');
  });
});
