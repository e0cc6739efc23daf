import { describe, expect, test } from '@jest/globals';
import { GatewayError } from '../../src/errors/gateway-error.js';
import { CompletionConverter } from '../../src/proxy/completions/completion-converter.js';

const converted = (answer: unknown, echo = ''): Record<string, unknown> =>
  JSON.parse(
    Buffer.concat(
      new CompletionConverter({ echo, usageChunk: false }).buffered(Buffer.from(JSON.stringify(answer))),
    ).toString(),
  ) as Record<string, unknown>;
const said = (content: unknown, index?: number) => ({
  index,
  message: { role: 'assistant', content },
  finish_reason: 'stop',
});
const chat = {
  id: 'chatcmpl-abc',
  object: 'chat.completion',
  created: 1_700_000_777,
  model: 'gpt-4o-2024-08-06',
  choices: [said(' there', 0)],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 0 } },
};
const texts = (answer: Record<string, unknown>) => (answer['choices'] as { text: string }[]).map(({ text }) => text);

describe('a chat completion as a text completion', () => {
  test('id, object and choices are turned, all the rest stays', () => {
    expect(converted({ ...chat, system_fingerprint: 'fp_1', service_tier: null })).toEqual({
      ...chat,
      id: 'cmpl-abc',
      object: 'text_completion',
      choices: [{ text: ' there', index: 0, logprobs: null, finish_reason: 'stop' }],
      system_fingerprint: 'fp_1',
      service_tier: null,
    });
  });

  test.each([
    ['chatcmpl-9zZ', 'cmpl-9zZ'],
    ['gen-123', 'cmpl-gen-123'],
    ['x-chatcmpl-1', 'cmpl-x-chatcmpl-1'],
    ['chatcmpl-', 'cmpl-'],
    ['', 'cmpl-'],
    [undefined, undefined],
  ])('id %j becomes %j', (id, expected) => expect(converted({ ...chat, id })['id']).toBe(expected));

  test.each<[string, unknown, string]>([
    ['a text', 'a "b" ü🌍\n', 'a "b" ü🌍\n'],
    ['null, as beside a call or a refusal', null, ''],
    ['nothing', undefined, ''],
    ['parts', [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'a' }, 7, { type: 'text', text: 'b' }], 'ab'],
    ['parts that are none', [null, 'b', { text: 7 }, { type: 'text', text: 'a' }, { text: ['c'] }], 'a'],
    ['half a character', '\ud83d', '\ud83d'],
  ])('content that is %s', (_what, content, text) =>
    expect(texts(converted({ ...chat, choices: [said(content, 0)] }))).toEqual([text]),
  );

  test('choices keep their index and finish_reason, and have them where the upstream left them out', () => {
    const choices = [{ ...said('a', 2), finish_reason: 'length' }, { message: { content: 'b' } }, {}, null];
    expect(converted({ ...chat, choices })['choices']).toEqual([
      { text: 'a', index: 2, logprobs: null, finish_reason: 'length' },
      { text: 'b', index: 1, logprobs: null, finish_reason: null },
      { text: '', index: 2, logprobs: null, finish_reason: null },
      { text: '', index: 3, logprobs: null, finish_reason: null },
    ]);
  });

  test('echo stands before every choice', () => {
    const two = { ...chat, choices: [said(' there', 0), said(null, 1)] };
    expect(texts(converted(two, 'Say "hi"'))).toEqual(['Say "hi" there', 'Say "hi"']);
  });

  test('the prompt of a thousand echoes is in memory once', () => {
    const body = Buffer.from(
      JSON.stringify({ ...chat, choices: Array.from({ length: 1000 }, (_, at) => said('x', at)) }),
    );
    const prompt = 'p'.repeat(100_000);
    const pieces = new CompletionConverter({ echo: prompt, usageChunk: false }).buffered(body);
    const echoes = pieces.filter(({ length }) => length === prompt.length);
    expect([echoes.length, new Set(echoes).size]).toEqual([1000, 1]);
    const rest = pieces.reduce((bytes, { length }) => bytes + length, 0) - 1000 * prompt.length;
    expect(rest).toBeLessThan(100_000);
  });

  test.each(['', '{', '[]', 'null', '7', '{"error":{"message":"no"}}', '{"choices":{}}'])(
    'what is no chat completion is a fault of the upstream: %j',
    (body) => {
      const convert = () => new CompletionConverter({ echo: '', usageChunk: false }).buffered(Buffer.from(body));
      expect(convert).toThrow(GatewayError);
      expect(convert).toThrow(/did not return a chat completion/);
    },
  );
});
