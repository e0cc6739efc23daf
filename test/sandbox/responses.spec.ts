import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const model = 'gpt-4.1';
const input = 'How warm is it?';
const weather = {
  type: 'function' as const,
  name: 'weather',
  strict: true,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function eventsOf(asked: object): Promise<OpenAI.Responses.ResponseStreamEvent[]> {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];

  for await (const event of await openaiFor(sandbox).responses.create({ model, input, ...asked, stream: true })) {
    events.push(event);
  }
  return events;
}

describe('responses through the OpenAI SDK', () => {
  test('a buffered response has the vendor’s format', async () => {
    const response = await openaiFor(sandbox).responses.create({ model, input, metadata: { a: 'b' } });

    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{48}$/),
      object: 'response',
      status: 'completed',
      model,
      metadata: { a: 'b' },
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', annotations: [] }] }],
    });
    expect(response.output_text).toContain(input);
    expect(response.usage?.total_tokens).toBe(
      (response.usage?.input_tokens ?? 0) + (response.usage?.output_tokens ?? 0),
    );
  });

  test('a streamed response has the same text and usage as a buffered one', async () => {
    const client = openaiFor(sandbox);
    const whole = await client.responses.create({ model, input });
    const streamed = await client.responses.stream({ model, input }).finalResponse();

    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.usage).toEqual(whole.usage);
  });

  test('stream events are in the vendor’s order, numbered, and end with [DONE]', async () => {
    const events = await eventsOf({});
    const names = events.map((event) => event.type).filter((type, index, all) => all[index - 1] !== type);
    const raw = await sandbox.post('/v1/responses', { model, input, stream: true });

    expect(names).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(raw.text.startsWith('event: response.created\ndata: {"type":"response.created"')).toBe(true);
    expect(raw.text.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
  });

  test.each(['buffered', 'streamed'])('a function is called and its result is repeated (%s)', async (how) => {
    const client = openaiFor(sandbox);
    const ask = (asked: object): Promise<OpenAI.Responses.Response> =>
      how === 'buffered'
        ? client.responses.create({ model, input, ...asked, stream: false })
        : client.responses.stream({ model, input, ...asked }).finalResponse();
    const called = await ask({ tools: [weather] });
    const [call] = called.output;

    expect(call).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Paris"}' });

    const repeated = await ask({
      tools: [weather],
      previous_response_id: called.id,
      input: [
        {
          type: 'function_call_output',
          call_id: call?.type === 'function_call' ? call.call_id : '',
          output: '21 degrees',
        },
      ],
    });

    expect(repeated.output_text).toContain('21 degrees');
    // The question is only part of the previous response's conversation.
    expect(repeated.output_text).toContain(input);
  });

  test('a response is incomplete at max_output_tokens', async () => {
    const response = await openaiFor(sandbox).responses.create({ model, input, max_output_tokens: 16 });
    const events = await eventsOf({ max_output_tokens: 16 });

    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 16 },
    });
    expect(events.at(-1)?.type).toBe('response.incomplete');
  });

  test('a response with a JSON schema matches the schema', async () => {
    const schema = { type: 'object', properties: { pages: { type: 'integer', minimum: 10 } }, required: ['pages'] };
    const text = { format: { type: 'json_schema' as const, name: 'book', schema } };

    expect((await openaiFor(sandbox).responses.create({ model, input, text })).output_text).toBe('{"pages":10}');
  });

  test('a response is stored until it is deleted, unless store is false', async () => {
    const client = openaiFor(sandbox);
    const [first] = await eventsOf({ input: 'keep this' });
    const id = first?.type === 'response.created' ? first.response.id : '';
    const passing = await client.responses.create({ model, input, store: false });

    expect(await client.responses.retrieve(id)).toMatchObject({ id, status: 'completed' });
    await client.responses.delete(id);
    await expect(client.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.delete(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.retrieve(passing.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.responses.create({ model, input, previous_response_id: id })).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
    });
  });
});
