import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { CaptureMemory } from '../../../../src/proxy/response-memory.js';
import { ResponseCapture, CAPTURE_BYTES_MAX } from '../../../../src/proxy/metering/estimate/response-capture.js';
import { TOKENIZED_BYTES_MAX } from '../../../../src/proxy/metering/estimate/count-tokens.js';
import type { ResponseFormat } from '../../../../src/proxy/metering/response-format.js';
import type { EstimateJob } from '../../../../src/proxy/metering/estimate/estimate-job.js';
import { roughEstimate } from '../../../../src/proxy/metering/estimate/rough-estimate.js';
import { TokenThread } from '../../../../src/proxy/metering/estimate/token-estimator.service.js';

const deaths: Error[] = [];
const thread = new TokenThread((error) => deaths.push(error));
afterAll(() => {
  thread.stop();
  expect(deaths).toEqual([]);
});

const known = JSON.parse(
  readFileSync(new URL('../../../fixtures/token-counts.json', import.meta.url), 'utf8'),
) as readonly { name: string; model: string; request: unknown; inputTokens: number }[];

const sideOf = (bytes: Buffer) => ({ bytes, totalBytes: bytes.length });
const requestJob = (request: unknown, model = 'gpt-4o'): EstimateJob => ({
  model,
  request: sideOf(Buffer.from(JSON.stringify(request))),
  response: null,
});
const responseJob = (text: string, format: ResponseFormat, totalBytes?: number): EstimateJob => {
  const bytes = Buffer.from(text);
  return { model: 'gpt-4o', request: null, response: { bytes, totalBytes: totalBytes ?? bytes.length, format } };
};
const input = async (request: unknown, model?: string) => (await thread.count(requestJob(request, model)))!.input;
const output = async (...given: Parameters<typeof responseJob>) => (await thread.count(responseJob(...given)))!.output;
/** Returns the tokens of the text alone. */
const tokens = (text: string, model?: string) => input({ input: text }, model);

function expectNear(actual: number, expected: number, share: number): void {
  expect(Math.abs(actual - expected) / expected).toBeLessThan(share);
}

const PROSE = 'The quick brown fox — “jumps” over 13 lazy dogs; naïve, isn’t it?\n\nEs war einmal 🎉 数据库。 ';
const LONG = PROSE.repeat(30);

describe('accuracy of request estimates', () => {
  test.each(known)('the estimate of $name for $model is within 4% of the reported usage', async (fixture) => {
    expectNear(await input(fixture.request, fixture.model), fixture.inputTokens, 0.04);
  });

  test('a request in any format counts as its text plus fewer than 25 tokens', async () => {
    const expected = await tokens(LONG);
    const text = { type: 'text', text: LONG };
    for (const request of [
      { messages: [{ role: 'user', content: LONG }] },
      { messages: [{ role: 'user', content: [text] }] },
      { system: LONG, messages: [] },
      { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text] }] }] },
      { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'text', data: LONG } }] }] },
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: LONG } }] }] },
      { input: [{ role: 'user', content: [{ type: 'input_text', text: LONG }] }] },
      { input: [{ type: 'function_call_output', call_id: 'c', output: LONG }] },
      { instructions: LONG, input: '' },
      { prompt: LONG },
      { prompt: [LONG, 'a'] },
      { input: [LONG, 'a'] },
      { messages: [], tools: [{ type: 'function', function: { name: 'f', description: LONG } }] },
      { messages: [], tools: [{ name: 'f', description: LONG, input_schema: {} }] },
    ]) {
      const estimated = await input(request);
      expect(estimated).toBeGreaterThanOrEqual(expected);
      expect(estimated).toBeLessThan(expected + 25);
    }
  });

  test('does not count images, audio or files in a request', async () => {
    const data = Buffer.alloc(500_000, 'abc').toString('base64');
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      { type: 'input_audio', input_audio: { data, format: 'wav' } },
      { type: 'file', file: { file_data: data } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'input_image', image_url: data },
    ];
    expect(await input({ messages: [{ role: 'user', content }] })).toBe(8);
  });

  test('counts requests to older OpenAI models and embedding models with a different tokenizer', async () => {
    const text = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz';
    const newer = await tokens(text, 'gpt-4o');
    for (const model of ['gpt-4', 'gpt-4-turbo', 'openai/gpt-3.5-turbo', 'text-embedding-3-small', 'davinci-002']) {
      expect(await tokens(text, model)).not.toBe(newer);
    }
    for (const model of ['gpt-4.1', 'gpt-5', 'o3', 'claude-3-5-sonnet-20241022']) {
      expect(await tokens(text, model)).toBe(newer);
    }
  });

  test('counts text that looks like special tokens as text', async () => {
    expect(await tokens('<|endoftext|><|im_start|>')).toBeGreaterThan(5);
  });

  test('extrapolates the tokens of a request beyond 256 KiB', async () => {
    const text = PROSE.repeat(Math.ceil((3 * TOKENIZED_BYTES_MAX) / Buffer.byteLength(PROSE)));
    expectNear(await tokens(text), (await tokens(LONG)) * (text.length / LONG.length), 0.02);
    const parts = Array.from({ length: 30 }, () => LONG.repeat(10));
    expectNear(await input({ input: parts }), (await tokens(LONG)) * 300, 0.02);
  });

  test.each([
    ['a single letter', 'a'],
    ['spaces', ' '],
    ['line feeds', '\n'],
    ['Chinese without punctuation', '数据库连接'],
    ['letters that form no words', 'xqzjkvbwpfgm'],
    ['emoji', '🎉'],
  ])('tokenizes 256 KiB of %s', async (_what, text) => {
    await tokens(text.repeat(Math.ceil(TOKENIZED_BYTES_MAX / Buffer.byteLength(text))));
  });

  test('a request nested 500,000 levels deep does not stop the thread', async () => {
    const deep = `{"tools":[{"name":"f","parameters":${'['.repeat(500_000)}${']'.repeat(500_000)}}]}`;
    await thread.count({ model: null, request: sideOf(Buffer.from(deep)), response: null });
    expect(await tokens('hello world')).toBe(2);
  });
});

describe('accuracy of response estimates', () => {
  const pieces = LONG.match(/[^]{1,7}/gu) ?? [];
  const sse = (events: readonly object[]) =>
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + 'data: [DONE]\n\n';
  const chunk = (delta: object, index = 0) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index, delta }],
  });

  test.each<[string, string, ResponseFormat]>([
    ['a chat stream', sse(pieces.map((content) => chunk({ content }))), 'sse'],
    ['a chat stream of reasoning', sse(pieces.map((reasoning_content) => chunk({ reasoning_content }))), 'sse'],
    [
      'a chat stream of tool calls',
      sse(pieces.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }))),
      'sse',
    ],
    ['a completion stream', sse(pieces.map((text) => ({ choices: [{ index: 0, text }] }))), 'sse'],
    [
      'a Messages stream',
      sse(pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }))),
      'sse',
    ],
    [
      'a Responses stream, which repeats the text at the end',
      sse([
        ...pieces.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
        { type: 'response.output_text.done', output_index: 0, text: LONG },
        { type: 'response.completed', response: { output: [{ content: [{ text: LONG }] }] } },
      ]),
      'sse',
    ],
    [
      'NDJSON',
      pieces.map((text) => `${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\n`).join(''),
      'ndjson',
    ],
    ['a chat response', JSON.stringify({ choices: [{ index: 0, message: { content: LONG } }] }), 'json'],
    ['a Messages response', JSON.stringify({ type: 'message', content: [{ type: 'text', text: LONG }] }), 'json'],
    ['a Responses response', JSON.stringify({ output: [{ content: [{ type: 'output_text', text: LONG }] }] }), 'json'],
    [
      'a chat response that was cut',
      JSON.stringify({ choices: [{ message: { content: LONG } }] }).slice(0, -5),
      'json',
    ],
  ])('%s has as many tokens as its text', async (_what, body, format) => {
    expectNear(await output(body, format), await tokens(LONG), 0.001);
  });

  test('counts all choices of a response', async () => {
    const both = sse(pieces.flatMap((content) => [chunk({ content }, 0), chunk({ content }, 1)]));
    expect(await output(both, 'sse')).toBe(2 * (await tokens(LONG)));
  });

  test('does not count audio in a response', async () => {
    const audio = { type: 'response.audio.delta', delta: 'UklGRg'.repeat(1000) };
    expect(await output(sse([audio, chunk({ audio: { data: 'UklGRg' } })]), 'sse')).toBe(0);
  });

  test('extrapolates the tokens of a response of which only the beginning was kept', async () => {
    const whole = sse(Array.from({ length: 60 }, () => pieces.map((content) => chunk({ content }))).flat());
    const kept = whole.slice(0, CAPTURE_BYTES_MAX);
    expect(whole.length).toBeGreaterThan(2 * kept.length);
    const estimated = await output(kept, 'sse', Buffer.byteLength(whole));
    expectNear(estimated, 60 * (await tokens(LONG)), 0.03);
  });

  test('a long stream that begins with cheap text is estimated from all its parts', async () => {
    const contents = [...Array.from({ length: 3000 }, () => '\n'), ...Array.from({ length: 20 }, () => pieces).flat()];
    const events = contents.map((content) => Buffer.from(`data: ${JSON.stringify(chunk({ content }))}\n\n`));
    let sum = 0;
    for (let i = 0; i < 10; i++) {
      const capture = new ResponseCapture(new CaptureMemory());
      for (const bytes of events) capture.push(bytes);
      sum += await output(capture.bytes.toString(), 'sse', capture.totalBytes);
    }
    expectNear(sum / 10, 20 * (await tokens(LONG)), 0.25);
  });

  test('the rough estimate counts four bytes of text as one token', () => {
    const text = 'word '.repeat(400_000);
    const job = {
      ...responseJob(sse(pieces.map((content) => chunk({ content }))), 'sse'),
      ...requestJob({ prompt: 'x' }),
    };
    const long = { ...job, request: sideOf(Buffer.from(JSON.stringify({ prompt: text }))) };
    const { input: rough } = roughEstimate(long);
    expectNear(rough, text.length / 4, 0.02);
    const { output: roughOutput } = roughEstimate({
      ...responseJob(sse(pieces.map((content) => chunk({ content }))), 'sse'),
    });
    expectNear(roughOutput, Buffer.byteLength(LONG) / 4, 0.1);
  });
});
