import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { anthropicFor, openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const words = 'word '.repeat(200_001);
const messages = [{ role: 'user' as const, content: words }];

describe('context window', () => {
  test('a prompt that is too long gets context_length_exceeded in OpenAI formats', async () => {
    const client = openaiFor(sandbox);
    const code = 'context_length_exceeded';

    await expect(client.chat.completions.create({ model: 'gpt-6', messages })).rejects.toMatchObject({
      status: 400,
      code,
    });
    await expect(client.responses.create({ model: 'gpt-6', input: words })).rejects.toMatchObject({
      status: 400,
      code,
    });
  });

  test('a prompt that is too long gets Anthropic’s error on /v1/messages', async () => {
    const asked = anthropicFor(sandbox).messages.create({ model: 'claude-opus-5', max_tokens: 5, messages });

    await expect(asked).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(asked).rejects.toThrow(/prompt is too long: 200\d{3} tokens > 200000 maximum/);
  });
});

describe('models that return errors', () => {
  const hi = [{ role: 'user' as const, content: 'hi' }];

  test('the model sandbox-429 returns a rate limit error with Retry-After', async () => {
    const asked = openaiFor(sandbox).chat.completions.create({ model: 'sandbox-429', messages: hi });
    const error = await asked.catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded' });
    expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers.get('retry-after')).toBe('1');
  });

  test('the models sandbox-429 and sandbox-529 return Anthropic’s error types on /v1/messages', async () => {
    for (const [model, status, type] of [
      ['sandbox-429', 429, 'rate_limit_error'],
      ['sandbox-529', 529, 'overloaded_error'],
    ] as const) {
      const asked = anthropicFor(sandbox).messages.create({ model, max_tokens: 5, messages: hi });

      await expect(asked).rejects.toMatchObject({ status, error: { error: { type } } });
    }
  });
});
