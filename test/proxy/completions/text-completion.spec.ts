import { describe, expect, test } from '@jest/globals';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { CompletionConverter } from '../../../src/proxy/completions/completion-emulation.service.js';

const converted = (response: unknown, echo = ''): Record<string, unknown> =>
  JSON.parse(
    Buffer.concat(
      new CompletionConverter({ echo, usageChunk: false }).buffered(Buffer.from(JSON.stringify(response))),
    ).toString(),
  ) as Record<string, unknown>;
const choice = (content: unknown, index?: number) => ({
  index,
  message: { role: 'assistant', content },
  finish_reason: 'stop',
});
const chat = {
  id: 'chatcmpl-abc',
  object: 'chat.completion',
  created: 1_700_000_777,
  model: 'gpt-4o-2024-08-06',
  choices: [choice(' there', 0)],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 0 } },
};
const texts = (completion: Record<string, unknown>) =>
  (completion['choices'] as { text: string }[]).map(({ text }) => text);

describe('CompletionConverter', () => {
  test('converts id, object and choices, and keeps all other fields', () => {
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
  ])('converts the id %j to %j', (id, expected) => expect(converted({ ...chat, id })['id']).toBe(expected));

  test.each<[string, unknown, string]>([
    ['a string', 'a "b" ü🌍\n', 'a "b" ü🌍\n'],
    ['null, as with a tool call or a refusal', null, ''],
    ['missing', undefined, ''],
    [
      'an array of parts',
      [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'a' }, 7, { type: 'text', text: 'b' }],
      'ab',
    ],
    ['an array with invalid parts', [null, 'b', { text: 7 }, { type: 'text', text: 'a' }, { text: ['c'] }], 'a'],
    ['half a character', '\ud83d', '\ud83d'],
  ])('converts a content that is %s to text', (_what, content, text) =>
    expect(texts(converted({ ...chat, choices: [choice(content, 0)] }))).toEqual([text]),
  );

  test('keeps the index and finish_reason of choices, and adds them if they are missing', () => {
    const choices = [{ ...choice('a', 2), finish_reason: 'length' }, { message: { content: 'b' } }, {}, null];
    expect(converted({ ...chat, choices })['choices']).toEqual([
      { text: 'a', index: 2, logprobs: null, finish_reason: 'length' },
      { text: 'b', index: 1, logprobs: null, finish_reason: null },
      { text: '', index: 2, logprobs: null, finish_reason: null },
      { text: '', index: 3, logprobs: null, finish_reason: null },
    ]);
  });

  test('puts the echo before the text of every choice', () => {
    const two = { ...chat, choices: [choice(' there', 0), choice(null, 1)] };
    expect(texts(converted(two, 'Say "hi"'))).toEqual(['Say "hi" there', 'Say "hi"']);
  });

  test('holds an echoed prompt in memory only once for a thousand choices', () => {
    const body = Buffer.from(
      JSON.stringify({ ...chat, choices: Array.from({ length: 1000 }, (_, at) => choice('x', at)) }),
    );
    const prompt = 'p'.repeat(100_000);
    const pieces = new CompletionConverter({ echo: prompt, usageChunk: false }).buffered(body);
    const echoes = pieces.filter(({ length }) => length === prompt.length);
    expect([echoes.length, new Set(echoes).size]).toEqual([1000, 1]);
    const rest = pieces.reduce((bytes, { length }) => bytes + length, 0) - 1000 * prompt.length;
    expect(rest).toBeLessThan(100_000);
  });

  test.each(['', '{', '[]', 'null', '7', '{"error":{"message":"no"}}', '{"choices":{}}'])(
    'throws for a body that is not a chat completion: %j',
    (body) => {
      const convert = () => new CompletionConverter({ echo: '', usageChunk: false }).buffered(Buffer.from(body));
      expect(convert).toThrow(GatewayError);
      expect(convert).toThrow(/did not return a chat completion/);
    },
  );
});
