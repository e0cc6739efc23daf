import { describe, expect, test } from '@jest/globals';
import http from 'node:http';
import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';

import { eventsOf, KEY_HEADER, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const PATH = '/v1/chat/completions';
const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Tell me about rivers' }] };

async function chunksOf(body: object): Promise<ChatCompletionChunk[]> {
  const events = eventsOf((await sandbox.post(PATH, { ...body, stream: true })).text);

  expect(events.pop()).toBe('[DONE]');
  return events.map((event) => JSON.parse(event) as ChatCompletionChunk);
}

const buffered = async (body: object): Promise<ChatCompletion> =>
  JSON.parse((await sandbox.post(PATH, body)).text) as ChatCompletion;
const textOf = (chunks: readonly ChatCompletionChunk[], index = 0): string =>
  chunks
    .flatMap((chunk) => chunk.choices.filter((choice) => choice.index === index))
    .map((choice) => choice.delta.content ?? '')
    .join('');

describe('streamed chat completions', () => {
  test('a stream sends role, text, finish reason and [DONE], without usage by default', async () => {
    const chunks = await chunksOf(hello);
    const first = chunks[0];

    expect(first).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'gpt-4o',
      service_tier: 'default',
      system_fingerprint: expect.stringMatching(/^fp_/),
      choices: [
        { index: 0, delta: { role: 'assistant', content: '', refusal: null }, logprobs: null, finish_reason: null },
      ],
    });
    expect(chunks.at(-1)?.choices).toEqual([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]);
    expect(chunks.every((chunk) => chunk.id === first?.id && chunk.created === first?.created)).toBe(true);
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  test('a stream has the same text and usage as a buffered response', async () => {
    const whole = await buffered(hello);
    const chunks = await chunksOf({ ...hello, stream_options: { include_usage: true } });
    const last = chunks.at(-1);

    expect(textOf(chunks)).toBe(whole.choices[0]?.message.content);
    expect(last?.choices).toEqual([]);
    expect(last?.usage).toEqual(whole.usage);
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  test('equal requests get equal bytes', async () => {
    const first = await sandbox.post(PATH, { ...hello, stream: true });
    const second = await sandbox.post(PATH, { ...hello, stream: true });

    expect(first.headers['content-type']).toContain('text/event-stream');
    expect(second.text).toBe(first.text);
  });

  test('n choices are streamed in parallel', async () => {
    const whole = await buffered({ ...hello, n: 2 });
    const chunks = await chunksOf({ ...hello, n: 2 });

    expect(chunks.slice(0, 4).map((chunk) => chunk.choices[0]?.index)).toEqual([0, 1, 0, 1]);
    expect([textOf(chunks, 0), textOf(chunks, 1)]).toEqual(whole.choices.map((choice) => choice.message.content));
    expect(chunks.slice(-2).map((chunk) => chunk.choices[0]?.finish_reason)).toEqual(['stop', 'stop']);
  });

  test('a stream ends at max_tokens with finish_reason length', async () => {
    const chunks = await chunksOf({ ...hello, max_tokens: 2 });

    expect(textOf(chunks)).toBe('Hello from');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
  });

  test('a streamed tool call sends its name first and its arguments in pieces', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
    const chunks = await chunksOf({ ...hello, tools });
    const calls = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);

    expect(calls[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'weather', arguments: '' } });
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.map((call) => call.function?.arguments).join('')).toBe('{"city":"Paris"}');
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  test('a stream arrives in many pieces', async () => {
    const pieces = await new Promise<string[]>((resolve, reject) => {
      const seen: string[] = [];
      const req = http.request(`${sandbox.baseUrl()}/chat/completions`, { method: 'POST', headers: KEY_HEADER });

      req.on('error', reject);
      req.on('response', (res) => {
        res.on('data', (piece: Buffer) => seen.push(piece.toString()));
        res.on('end', () => resolve(seen));
      });
      req.end(JSON.stringify({ ...hello, stream: true }));
    });

    expect(pieces.length).toBeGreaterThan(10);
  });
});
