import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key } from '../../support/gateway.js';
import { errorCodeIn } from '../../support/responses.js';
import { CHAT_USAGE } from '../../support/scripted-upstream-responses.js';
import { RoutedGateway, respondsWith } from './routed-gateway.js';

const NATIVE = 'POST /v1/completions';
const CHAT = 'POST /v1/chat/completions';
const MODEL = 'meta-llama/llama-3.3-70b-instruct';
const RESPONSE = '{"object":"text_completion","choices":[{"text":"native","index":0}],"usage":{"prompt_tokens":1}}';
const STREAM = `data: ${RESPONSE}\n\ndata: [DONE]\n\n`;

let routed: RoutedGateway;
let key: Key;
beforeAll(async () => {
  routed = await RoutedGateway.start(
    {
      upstreams: [
        { name: 'server', completions: 'native' },
        { name: 'chats', completions: 'emulated', aliases: { 'chat-first': 'gpt-4o' } },
        { name: 'unset', models: [], aliases: { 'chat-first': MODEL, 'chat-only': 'gpt-4.1' } },
      ],
      routes: [{ models: 'mistral-*', upstreams: ['chats', 'server'] }],
    },
    { GW_PROFILE: 'current' },
  );
  key = await routed.gateway.createKey();
});
beforeEach(() => {
  routed.reset();
  for (const name of ['server', 'unset'])
    routed.provider(name).on('POST', '/v1/completions', (request) => {
      const type = request.json()['stream'] === true ? 'text/event-stream' : 'application/json';
      return { headers: { 'content-type': type }, chunks: [type === 'text/event-stream' ? STREAM : RESPONSE] };
    });
});
afterAll(() => routed.stop());

const complete = (body: object) => routed.gateway.call('POST', '/v1/completions', { key, body });
const sent = (name: string) => routed.provider(name).requests.map(({ route, body }) => [route, body.toString()]);
const nativeFails = (status: number) =>
  routed.provider('server').on('POST', '/v1/completions', () => ({ status, body: { error: { message: 'busy' } } }));

describe('completions with upstreams of both kinds', () => {
  test.each([false, true])('a request moves from a native upstream to an emulated one (stream: %s)', async (stream) => {
    nativeFails(503);
    const body = { model: MODEL, prompt: 'Hello', echo: true, stream, stream_options: { include_usage: stream } };
    const response = await complete(body);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'chats']);
    expect(response.text).toContain('"object":"text_completion"');
    expect(response.text).toContain('"text":"Hello');
    expect(sent('server')).toEqual([[NATIVE, JSON.stringify(body)]]);
    const [[route, text]] = sent('chats') as [[string, string]];
    expect(route).toBe(CHAT);
    expect(JSON.parse(text)).toEqual({
      messages: [{ role: 'user', content: 'Hello' }],
      model: MODEL,
      stream,
      stream_options: { include_usage: stream },
    });
    expect(await routed.logOf(response)).toMatchObject({
      upstream: 'chats',
      input_tokens: CHAT_USAGE.prompt_tokens,
      output_tokens: CHAT_USAGE.completion_tokens,
    });
  });

  test.each([false, true])('a request moves from an emulated upstream to a native one (stream: %s)', async (stream) => {
    respondsWith(routed.provider('chats'), 503);
    const body = { model: 'mistral-large-latest', prompt: 'Hello', stream };
    const response = await complete(body);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'server']);
    expect(response.text).toBe(stream ? STREAM : RESPONSE);
    expect(sent('server')).toEqual([[NATIVE, JSON.stringify(body)]]);
    expect(sent('chats').map(([route]) => route)).toEqual([CHAT]);
  });

  test('a request that cannot be emulated goes only to native upstreams', async () => {
    const body = { model: 'mistral-large-latest', prompt: ['one', 'two'], logprobs: 1 };
    const response = await complete(body);
    expect([response.status, response.text]).toEqual([200, RESPONSE]);
    expect(sent('server')).toEqual([[NATIVE, JSON.stringify(body)]]);
    nativeFails(503);
    expect((await complete(body)).status).toBe(502);
    expect(sent('chats')).toEqual([]);
  });

  test('an upstream without the setting decides by the model that an alias refers to', async () => {
    const response = await complete({ model: 'chat-first', prompt: ['one', 'two'] });
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'unset']);
    expect(sent('unset')).toEqual([[NATIVE, JSON.stringify({ model: MODEL, prompt: ['one', 'two'] })]]);
  });

  test('a request that no upstream can serve is rejected', async () => {
    expect(errorCodeIn(await complete({ model: 'chat-only', prompt: ['one', 'two'] }))).toBe(
      '400 unsupported_value prompt',
    );
    expect([...routed.providers.values()].flatMap(({ requests }) => requests)).toEqual([]);
  });
});
