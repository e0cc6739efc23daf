import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const prompt = 'Once upon a time';

describe('text completions through the OpenAI SDK', () => {
  test('a completion ends at 16 tokens by default', async () => {
    const short = await openaiFor(sandbox).completions.create({ model: 'davinci-002', prompt });
    const long = await openaiFor(sandbox).completions.create({ model: 'babbage-002', prompt, max_tokens: 200 });

    expect(short.object).toBe('text_completion');
    expect(short.usage).toEqual({ prompt_tokens: 4, completion_tokens: 16, total_tokens: 20 });
    expect(short.choices[0]?.finish_reason).toBe('length');
    expect(long.choices[0]).toMatchObject({ index: 0, logprobs: null, finish_reason: 'stop' });
    expect(long.choices[0]?.text).toContain(`"${prompt}"`);
  });

  test('choices of several prompts are numbered in order and start with the echoed prompt', async () => {
    const asked = { model: 'davinci-002', prompt: ['one', 'two'], n: 2, echo: true };
    const response = await openaiFor(sandbox).completions.create(asked);

    expect(response.choices.map((choice) => choice.index)).toEqual([0, 1, 2, 3]);
    expect(response.choices.map((choice) => choice.text.slice(0, 3))).toEqual(['one', 'one', 'two', 'two']);
  });

  test('a prompt of token IDs is accepted and the text ends before a stop sequence', async () => {
    const asked = { model: 'davinci-002', prompt: [[1, 2]], stop: ' sandbox' };

    expect((await openaiFor(sandbox).completions.create(asked)).choices[0]?.text).toBe('Hello from the');
  });

  test('a buffered completion has the same text and usage as a stream', async () => {
    const asked = { model: 'davinci-002', prompt, n: 2, echo: true };
    const whole = await openaiFor(sandbox).completions.create(asked);
    const texts = ['', ''];
    const finished: unknown[] = [];
    let usage: unknown;

    for await (const chunk of await openaiFor(sandbox).completions.create({
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    })) {
      for (const { index, text, finish_reason } of chunk.choices) {
        texts[index] += text;
        if (finish_reason !== null) finished.push(finish_reason);
      }
      usage = chunk.usage;
    }

    expect(texts).toEqual(whole.choices.map((choice) => choice.text));
    expect(finished).toEqual(['length', 'length']);
    expect(usage).toEqual(whole.usage);
  });

  test('a model that inference servers run completes text', async () => {
    const asked = { model: 'llama-3.3-70b-instruct', prompt: ['one', 'two'] };

    expect((await openaiFor(sandbox).completions.create(asked)).choices).toHaveLength(2);
  });

  test('a chat model is rejected with a pointer to chat completions', async () => {
    const rejection = openaiFor(sandbox).completions.create({ model: 'gpt-4o', prompt });

    await expect(rejection).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(rejection).rejects.toThrow('v1/chat/completions');
  });
});
