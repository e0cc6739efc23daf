import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startGateway } from '../../support/ready-gateway.js';
import type { TestGateway } from '../../support/gateway.js';
import { RESPONSE, respondToResponses, REQUEST } from '../../support/responses-api-responses.js';

const PATH = '/v1/responses';
const WEATHER = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: null,
};

let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startGateway();
  const { key } = await gateway.createKey();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  gateway.upstream.on('POST', PATH, respondToResponses);
});

describe('official OpenAI SDK', () => {
  test('the SDK reads a buffered response', async () => {
    const response = await client.responses.create({ ...REQUEST, reasoning: { effort: 'low' }, metadata: { a: 'b' } });
    expect(response.output_text).toBe('Hello thére 👋');
    expect(response.usage).toEqual(RESPONSE.usage);
  });

  test('the SDK reads a stream to its end', async () => {
    const events: string[] = [];
    let text = '';
    for await (const event of await client.responses.create({ ...REQUEST, stream: true })) {
      events.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expect(text).toBe('Hello thére 👋');
    expect([events[0], events.at(-1)]).toEqual(['response.created', 'response.completed']);
    const final = await client.responses.stream(REQUEST).finalResponse();
    expect(final.output_text).toBe(text);
  });

  test('the SDK gets a function call, buffered and streamed, and can send its result', async () => {
    const request = { ...REQUEST, tools: [WEATHER], tool_choice: { type: 'function' as const, name: 'weather' } };
    const buffered = await client.responses.create(request);
    const streamed = await client.responses.stream(request).finalResponse();
    for (const { output } of [buffered, streamed])
      expect(output).toMatchObject([{ type: 'function_call', name: 'weather', arguments: '{"city":"Bern"}' }]);
    const result = { type: 'function_call_output' as const, call_id: 'call_1', output: '21 °C' };
    expect((await client.responses.create({ ...REQUEST, input: [result] })).status).toBe('completed');
  });

  test('the SDK reads and deletes a stored response', async () => {
    const { id } = RESPONSE;
    gateway.upstream.on('GET', `${PATH}/${id}`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESPONSE));
    });
    gateway.upstream.on('DELETE', `${PATH}/${id}`, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${id}","deleted":true}`);
    });
    expect((await client.responses.retrieve(id)).output_text).toBe('Hello thére 👋');
    await client.responses.delete(id);
    expect(gateway.upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${PATH}/${id}`,
      `DELETE ${PATH}/${id}`,
    ]);
  });

  test('the SDK raises its own error classes', async () => {
    const refused = client.responses.create({ ...REQUEST, tools: [{ type: 'web_search_preview' }] });
    await expect(refused).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_value', param: 'tools[0].type' });
  });
});
