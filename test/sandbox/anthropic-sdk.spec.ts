import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';

import { anthropicFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const client = (): Anthropic => anthropicFor(sandbox);
const model = 'claude-sonnet-4-20250514';
const messages = [{ role: 'user' as const, content: 'How warm is it?' }];
const hello = { model, max_tokens: 500, messages };
const weather: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

describe('Messages API through the Anthropic SDK', () => {
  test('a buffered message has the vendor’s format', async () => {
    const response = await client().messages.create(hello);

    expect(response).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: expect.stringContaining('How warm is it?') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    });
    expect(response.usage.input_tokens).toBe(12);
    expect(response.usage.output_tokens).toBeGreaterThan(10);
  });

  test('a streamed message has the same thinking, text and usage as a buffered one', async () => {
    const asked = { ...hello, thinking: { type: 'enabled' as const, budget_tokens: 1024 } };
    const whole = await client().messages.create(asked);
    const streamed = await client().messages.stream(asked).finalMessage();

    expect(whole.content.map((block) => block.type)).toEqual(['thinking', 'text']);
    expect(streamed.content).toEqual([
      { type: 'thinking', thinking: Reflect.get(whole.content[0] ?? {}, 'thinking'), signature: expect.any(String) },
      whole.content[1],
    ]);
    expect(streamed.stop_reason).toBe('end_turn');
    expect(streamed.usage).toMatchObject({
      input_tokens: whole.usage.input_tokens,
      output_tokens: whole.usage.output_tokens,
    });
  });

  test('a streamed message sends its events in the vendor’s order', async () => {
    const names: string[] = [];

    for await (const event of await client().messages.create({ ...hello, stream: true })) {
      if (names.at(-1) !== event.type) names.push(event.type);
    }
    expect(names).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test.each(['buffered', 'streamed'])('a tool is called and its result is repeated (%s)', async (how) => {
    const ask = (asked: Anthropic.MessageCreateParamsNonStreaming): Promise<Anthropic.Message> =>
      how === 'buffered' ? client().messages.create(asked) : client().messages.stream(asked).finalMessage();
    const called = await ask({ ...hello, tools: [weather] });
    const [call] = called.content;

    expect(called.stop_reason).toBe('tool_use');
    expect(call).toMatchObject({ type: 'tool_use', name: 'weather', input: { city: 'Paris' } });

    const id = call?.type === 'tool_use' ? call.id : '';
    const repeated = await ask({
      ...hello,
      tools: [weather],
      messages: [
        ...messages,
        { role: 'assistant', content: called.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '21 degrees' }] },
      ],
    });

    expect(repeated.stop_reason).toBe('end_turn');
    expect(repeated.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('21 degrees') });
  });

  test('neither an unnamed server tool nor a tool under tool_choice none is called', async () => {
    const own = { type: 'web_search_20250305' as const, name: 'web_search' as const };

    for (const asked of [{ tools: [own] }, { tools: [weather], tool_choice: { type: 'none' as const } }]) {
      expect((await client().messages.create({ ...hello, ...asked })).stop_reason).toBe('end_turn');
    }
  });

  test('a message ends at max_tokens and before a stop sequence', async () => {
    const short = await client().messages.create({ ...hello, max_tokens: 2 });
    const stopped = await client().messages.create({ ...hello, stop_sequences: [' sandbox'] });

    expect(short).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } });
    expect(stopped).toMatchObject({
      content: [{ text: 'Hello from the' }],
      stop_reason: 'stop_sequence',
      stop_sequence: ' sandbox',
    });
  });

  test('buffered and streamed messages can be retrieved by ID', async () => {
    const whole = await client().messages.create(hello);
    const streamed = await client()
      .messages.stream({ ...hello, max_tokens: 3 })
      .finalMessage();

    expect(await client().get(`/v1/messages/${whole.id}`)).toEqual(JSON.parse(JSON.stringify(whole)));
    expect(await client().get(`/v1/messages/${streamed.id}`)).toMatchObject({ stop_reason: 'max_tokens' });
  });

  test('equal requests get equal bytes, even with different API keys', async () => {
    const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' };
    const first = await sandbox.post('/v1/messages', hello, headers);
    const second = await sandbox.post('/v1/messages', hello, { ...headers, 'x-api-key': 'another' });

    expect(first.status).toBe(200);
    expect(second.text).toBe(first.text);
  });
});

describe('errors in Anthropic’s format', () => {
  const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' };

  test.each<[number, string, unknown, Record<string, string>, string]>([
    [401, 'a request without an API key', hello, { 'anthropic-version': '2023-06-01' }, 'authentication_error'],
    [400, 'a request without a version header', hello, { 'x-api-key': 'any' }, 'invalid_request_error'],
    [400, 'a body that is not JSON', '{', headers, 'invalid_request_error'],
    [400, 'a body without max_tokens', { model, messages }, headers, 'invalid_request_error'],
    [400, 'an empty list of messages', { ...hello, messages: [] }, headers, 'invalid_request_error'],
    [
      400,
      'a message with an unknown role',
      { ...hello, messages: [{ role: 'critic', content: 'x' }] },
      headers,
      'invalid_request_error',
    ],
    [400, 'an embedding model', { ...hello, model: 'mistral-embed' }, headers, 'invalid_request_error'],
    [404, 'an unknown model', { ...hello, model: 'claude-0' }, headers, 'not_found_error'],
  ])('returns %i for %s', async (status, _what, body, sent, type) => {
    const reply = await sandbox.post('/v1/messages', body, sent);

    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: reply.headers['request-id'],
    });
  });

  test('returns 404 for an unknown message ID', async () => {
    await expect(client().get('/v1/messages/msg_0')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  test('x-api-key is accepted only with a version header, and only on Anthropic’s paths', async () => {
    expect((await sandbox.get('/v1/models', headers)).status).toBe(200);
    expect((await sandbox.get('/v1/models', { 'x-api-key': 'any' })).status).toBe(401);
    expect((await sandbox.get('/v1/vector_stores', headers)).status).toBe(401);
  });
});
