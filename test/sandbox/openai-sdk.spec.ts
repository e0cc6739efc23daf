import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const client = (): OpenAI => new OpenAI({ baseURL: sandbox.baseUrl(), apiKey: 'any', maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'How warm is it?' }];

describe('the OpenAI SDK', () => {
  test('the SDK reads a buffered response', async () => {
    const response = await client().chat.completions.create({ model: 'gpt-4o-mini', messages });

    expect(response.choices[0]?.message.content).toContain('How warm is it?');
    expect(response.usage?.completion_tokens).toBeGreaterThan(0);
  });

  test('the SDK reads a stream to its end, including usage', async () => {
    const stream = client().chat.completions.stream({
      model: 'claude-sonnet-4-20250514',
      messages,
      stream_options: { include_usage: true },
    });
    const response = await stream.finalChatCompletion();

    expect(response.choices[0]?.message.content).toContain('How warm is it?');
    expect(response.choices[0]?.finish_reason).toBe('stop');
    expect(response.usage?.total_tokens).toBeGreaterThan(response.usage?.completion_tokens ?? Infinity);
  });

  test.each(['buffered', 'streamed'])('the SDK runs a tool and gets a text with its result (%s)', async (how) => {
    const asked: unknown[] = [];
    const weather = {
      type: 'function' as const,
      function: {
        name: 'weather',
        description: 'The temperature in a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: (text: string) => JSON.parse(text) as { city: string },
        function: (input: { city: string }) => {
          asked.push(input);
          return '21 degrees';
        },
      },
    };
    const body = { model: 'gpt-4.1', messages, tools: [weather] };
    const runner =
      how === 'streamed'
        ? client().chat.completions.runTools({ ...body, stream: true })
        : client().chat.completions.runTools(body);

    await expect(runner.finalContent()).resolves.toContain('21 degrees');
    expect(asked).toEqual([{ city: 'Paris' }]);
  });

  test('the SDK lists and retrieves models and recognizes a 404', async () => {
    const ids: string[] = [];

    for await (const model of client().models.list()) ids.push(model.id);
    expect(ids).toContain('acme-custom-1');
    await expect(client().models.retrieve('o1')).resolves.toMatchObject({ owned_by: 'openai' });
    await expect(client().models.retrieve('nobody-1')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});
