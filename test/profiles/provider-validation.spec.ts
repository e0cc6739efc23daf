import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TestGateway, type Key } from '../support/gateway.js';
import { errorCodeIn } from '../support/responses.js';

const user = (content: unknown) => ({ role: 'user', content });
const CHAT = { model: 'gpt-4o', messages: [user('hi')] };
const MESSAGE = { model: 'claude-3-haiku-20240307', max_tokens: 64, messages: [user('hi')] };
const RESPONSE = { model: 'gpt-4o', input: 'hi' };
const TOOL = { type: 'function', function: { name: 'f' } };

let gateway: TestGateway;
let key: Key;
let limited: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_PROFILE: 'current' });
  key = await gateway.createKey();
  limited = await gateway.createKey({ allowed_models: ['gpt-4o', 'gpt-image-1'] });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  for (const path of ['messages', 'responses', 'embeddings', 'images/generations', 'completions', 'audio/speech'])
    gateway.upstream.on('POST', `/v1/${path}`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
});

const send = (path: string, body: unknown, as = key) => gateway.call('POST', `/v1/${path}`, { key: as, body });

describe('with GW_VALIDATION=provider', () => {
  test.each<[string, string, object]>([
    ['adaptive thinking', 'messages', { ...MESSAGE, thinking: { type: 'adaptive' } }],
    ['a system message inside the messages', 'messages', { ...MESSAGE, messages: [user('a'), { role: 'system' }] }],
    ['two user messages in a row', 'messages', { ...MESSAGE, messages: [user('a'), user('b')] }],
    ['max_tokens: 0', 'messages', { ...MESSAGE, max_tokens: 0 }],
    [
      'an MCP toolset without a name',
      'messages',
      { ...MESSAGE, tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }] },
    ],
    ['an empty list of tools', 'messages', { ...MESSAGE, tools: [] }],
    ['an empty list of tools', 'chat/completions', { ...CHAT, tools: [] }],
    ['an empty list of tools', 'responses', { ...RESPONSE, tools: [] }],
    ['tools of every type', 'responses', { ...RESPONSE, tools: [{ type: 'namespace', name: 'x', tools: [] }] }],
    ['reasoning effort xhigh', 'responses', { ...RESPONSE, reasoning: { effort: 'xhigh' } }],
    ['a stored prompt without input and model', 'responses', { prompt: { id: 'pmpt_1' } }],
    [
      'a custom voice',
      'chat/completions',
      { ...CHAT, modalities: ['audio'], audio: { voice: { id: 'v' }, format: 'x' } },
    ],
    ['stream_options without stream', 'chat/completions', { ...CHAT, stream_options: { include_usage: true } }],
    ['token IDs', 'embeddings', { model: 'text-embedding-3-small', input: [[9906, 1917]] }],
    ['an image without a model', 'images/generations', { prompt: 'x' }],
    [
      'speech with unknown field values',
      'audio/speech',
      { model: 'tts-1', input: 'x', voice: 7, stream_format: 'sse' },
    ],
    ['token IDs of a base model', 'completions', { model: 'davinci-002', prompt: [1, 2], logprobs: 5, best_of: 2 }],
  ])('accepts %s on /v1/%s and forwards the bytes', async (_what, path, body) => {
    const response = await send(path, body);
    expect({ about: response.text, value: response.status }).toEqual({ about: response.text, value: 200 });
    expect(gateway.upstream.requests.at(-1)!.body.toString()).toBe(JSON.stringify(body));
  });

  test.each<[string, string, unknown, string, string]>([
    ['a missing model', 'chat/completions', { messages: [] }, 'missing_required_parameter', 'model'],
    ['a model that is not a string', 'messages', { ...MESSAGE, model: 7 }, 'invalid_type', 'model'],
    ['a stream that is not a boolean', 'responses', { ...RESPONSE, stream: 'yes' }, 'invalid_type', 'stream'],
    ['a repeated model', 'embeddings', '{"model":"gpt-4o","model":"gpt-4o","input":""}', 'invalid_value', 'model'],
  ])('rejects %s on /v1/%s with 400', async (_what, path, body, code, param) => {
    const response = await send(path, body);
    expect(errorCodeIn(response)).toBe(`400 ${code} ${param}`);
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test.each([
    ['responses', { prompt: { id: 'pmpt_1' } }],
    ['images/generations', { prompt: 'x' }],
    ['chat/completions', { messages: [user('hi')] }],
  ])('a body without a model returns 403 on /v1/%s if the key has an allowlist', async (path, body) => {
    expect(errorCodeIn(await send(path, body, limited))).toBe('403 model_not_allowed model');
    expect(gateway.upstream.requests).toHaveLength(0);
  });

  test.each<[object, string, string]>([
    [{ prompt: [1, 2, 3] }, 'invalid_type', 'prompt[0]'],
    [{ prompt: 'x', best_of: 2 }, 'unsupported_parameter', 'best_of'],
    [{ prompt: 'x', logprobs: 0 }, 'unsupported_parameter', 'logprobs'],
  ])('an emulated completion rejects fields that chat does not support: %j', async (fields, code, param) => {
    const response = await send('completions', { model: 'gpt-4o', ...fields });
    expect(errorCodeIn(response)).toBe(`400 ${code} ${param}`);
  });

  test('an emulated completion leaves the validation of sampling fields to the provider', async () => {
    const response = await send('completions', {
      model: 'gpt-4o',
      prompt: 'x',
      temperature: 7,
      stop: ['1', '2', '3', '4', '5'],
    });
    expect(response.status).toBe(200);
  });

  test('the API description requires and restricts only the fields that the gateway reads', async () => {
    interface Schema {
      readonly required?: readonly string[];
      readonly properties: Readonly<Record<string, object>>;
    }
    const { body } = await gateway.call<{ components: { schemas: Record<string, Schema> } }>('GET', '/openapi.json');
    const { ChatCompletionRequest: chat, ResponseRequest: response, MessageRequest: message } = body.components.schemas;
    expect([chat!.required, response!.required, message!.required]).toEqual([['model'], undefined, ['model']]);
    expect(chat!.properties).toMatchObject({ model: { type: 'string' }, stream: { type: ['boolean', 'null'] } });
    for (const { properties } of [chat!, response!, message!])
      for (const [name, schema] of Object.entries(properties))
        if (name !== 'model' && name !== 'stream')
          expect(Object.keys(schema).filter((key) => !['description', 'example'].includes(key))).toEqual([]);
  });

  test('betas stay in the body only if they cannot become a header', async () => {
    const body = { ...MESSAGE, betas: [7] };
    expect((await send('messages', body)).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)!.json()).toEqual(body);
    await send('messages', { ...MESSAGE, betas: ['x-1'] });
    expect(gateway.upstream.requests.at(-1)!.json()).toEqual(MESSAGE);
    expect(gateway.upstream.requests.at(-1)!.header('anthropic-beta')).toBe('x-1');
  });
});

test('GW_VALIDATION=provider also works in the specification profile', async () => {
  const strict = await TestGateway.start({ GW_VALIDATION: 'provider' }, { upstream: gateway.upstream });
  try {
    const own = await strict.createKey();
    const response = await strict.chat(own, { tools: [], tool_choice: { type: 'allowed_tools' }, functions: [TOOL] });
    expect(response.status).toBe(200);
    expect((await strict.call('GET', '/v1/models', { headers: { 'x-api-key': own.key } })).status).toBe(401);
  } finally {
    await strict.stop();
  }
});
