import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway } from '../../support/ready-gateway.js';
import type { TestGateway } from '../../support/gateway.js';
import { RESPONSE, answering, MODEL, STREAM, TOOL_RESPONSE, TOOL_STREAM } from '../../support/message-responses.js';

const PATH = '/v1/messages';
const REQUEST = { model: MODEL, max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hello' }] };
const TOOLS: Anthropic.Tool[] = [
  { name: 'weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
];

let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  gateway = await startGateway();
  ({ key } = await gateway.createKey());
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', PATH, answering(RESPONSE, STREAM));
});

describe.each(['apiKey', 'authToken'] as const)('official Anthropic SDK with %s', (credential) => {
  const client = (given = key) =>
    new Anthropic({ baseURL: gateway.url, apiKey: null, authToken: null, [credential]: given, maxRetries: 0 });

  test('the SDK reads a buffered response', async () => {
    expect(await client().messages.create(REQUEST)).toMatchObject(RESPONSE);
  });

  test('the SDK reads a stream to its end', async () => {
    const events: string[] = [];
    const stream = client().messages.stream(REQUEST);
    stream.on('streamEvent', ({ type }) => events.push(type));
    const response = await stream.finalMessage();
    expect(response.content).toMatchObject(RESPONSE.content);
    expect(response.usage).toMatchObject(RESPONSE.usage);
    expect([events[0], events.at(-1)]).toEqual(['message_start', 'message_stop']);
  });

  test('the SDK gets a tool call, buffered and streamed, and can send its result', async () => {
    gateway.upstream.on('POST', PATH, answering(TOOL_RESPONSE, TOOL_STREAM));
    const request = { ...REQUEST, tools: TOOLS, tool_choice: { type: 'tool' as const, name: 'weather' } };
    const buffered = await client().messages.create(request);
    const streamed = await client().messages.stream(request).finalMessage();
    for (const response of [buffered, streamed]) {
      expect(response.stop_reason).toBe('tool_use');
      expect(response.content).toMatchObject([{ type: 'tool_use', name: 'weather', input: { city: 'Bern' } }]);
    }
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: '21 °C' };
    gateway.upstream.on('POST', PATH, answering(RESPONSE, STREAM));
    const response = await client().messages.create({
      ...request,
      messages: [
        ...REQUEST.messages,
        { role: 'assistant', content: buffered.content },
        { role: 'user', content: [result] },
      ],
    });
    expect(response.stop_reason).toBe('end_turn');
  });

  test('the upstream gets the betas of the SDK as a header and not in the body', async () => {
    await client().beta.messages.create({ ...REQUEST, betas: ['computer-use-2024-10-22', 'b'] });
    const request = await gateway.upstream.received(0);
    expect(request.header('anthropic-beta')).toBe('computer-use-2024-10-22,b');
    expect(request.json()).not.toHaveProperty('betas');
  });

  test('the SDK raises its own error classes', async () => {
    await expect(client(`${key}x`).messages.create(REQUEST)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const refused = client().messages.create({ ...REQUEST, max_tokens: 0 });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      error: { error: { code: 'invalid_value', param: 'max_tokens', type: 'invalid_request_error' } },
    });
  });
});
