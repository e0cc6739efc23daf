import { describe, expect, test } from '@jest/globals';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';

import { useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const PATH = '/v1/chat/completions';
const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Tell me about rivers' }] };

const completion = async (body: object): Promise<ChatCompletion & { usage: CompletionUsage }> =>
  JSON.parse((await sandbox.post(PATH, body)).text) as ChatCompletion & { usage: CompletionUsage };

describe('buffered chat completions', () => {
  test('a completion has the vendor’s format, names the sandbox and repeats the user’s text', async () => {
    const reply = await sandbox.post(PATH, hello);
    const body = JSON.parse(reply.text);

    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{29}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'gpt-4o',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: expect.stringMatching(/sandbox.*"Tell me about rivers"/),
            refusal: null,
            annotations: [],
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: expect.objectContaining({ prompt_tokens: 11 }),
      service_tier: 'default',
      system_fingerprint: expect.stringMatching(/^fp_/),
    });
    expect(Number.isInteger(body.created)).toBe(true);
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens);
  });

  test('equal requests get equal bytes, and another request gets another ID', async () => {
    const first = await sandbox.post(PATH, hello);
    const second = await sandbox.post(PATH, hello, { authorization: 'Bearer another' });
    const other = await sandbox.post(PATH, { ...hello, seed: 1 });

    expect(second.text).toBe(first.text);
    expect(JSON.parse(other.text).id).not.toBe(JSON.parse(first.text).id);
  });

  test.each(['max_tokens', 'max_completion_tokens'])(
    'a completion ends at %s with finish_reason length',
    async (field) => {
      const body = await completion({ ...hello, [field]: 3 });

      expect(body.choices[0]?.finish_reason).toBe('length');
      expect(body.choices[0]?.message.content).toBe('Hello from the');
      expect(body.usage.completion_tokens).toBe(3);
    },
  );

  test('a completion ends before a stop sequence', async () => {
    const body = await completion({ ...hello, stop: ['nowhere', ' sandbox'] });

    expect(body.choices[0]).toMatchObject({ message: { content: 'Hello from the' }, finish_reason: 'stop' });
  });

  test('a completion has n different choices, and its usage covers all of them', async () => {
    const one = await completion(hello);
    const three = await completion({ ...hello, n: 3 });
    const texts = three.choices.map((choice) => choice.message.content);

    expect(three.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
    expect(new Set(texts).size).toBe(3);
    expect(three.usage.prompt_tokens).toBe(one.usage.prompt_tokens);
    expect(three.usage.completion_tokens).toBeGreaterThan(2 * one.usage.completion_tokens);
  });

  test('a completion repeats the text parts of a content array and counts its attachments', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const content = [{ type: 'text', text: 'Tell me about rivers' }, image];
    const body = await completion({ ...hello, messages: [{ role: 'user', content }] });

    expect(body.choices[0]?.message.content).toContain('"Tell me about rivers". It had 1 attachment');
    expect(body.usage.prompt_tokens).toBe(11 + 85);
  });

  test('a completion in JSON mode is valid JSON', async () => {
    const body = await completion({ ...hello, response_format: { type: 'json_object' } });

    expect(JSON.parse(body.choices[0]?.message.content ?? '').message).toContain('rivers');
  });

  test('a completion with a JSON schema matches the schema', async () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, pages: { type: 'integer', minimum: 10 } },
      required: ['title', 'pages'],
    };
    const format = { type: 'json_schema', json_schema: { name: 'book', schema } };
    const body = await completion({ ...hello, response_format: format });

    expect(JSON.parse(body.choices[0]?.message.content ?? '')).toEqual({ title: 'Tell me about rivers', pages: 10 });
  });
});

describe('tools of a buffered chat completion', () => {
  const tool = (name: string): object => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  });
  const withTools = { ...hello, tools: [tool('first'), tool('second')] };

  test('the first tool is called after a user message, with arguments that match its schema', async () => {
    const [choice] = (await completion(withTools)).choices;

    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message).toMatchObject({
      content: null,
      tool_calls: [
        {
          id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
          type: 'function',
          function: { name: 'first', arguments: '{"city":"Paris"}' },
        },
      ],
    });
  });

  test('the tool that tool_choice names is called', async () => {
    const choice = { type: 'function', function: { name: 'second' } };
    const body = await completion({ ...withTools, tool_choice: choice });

    expect(body.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'second' } }]);
  });

  test('tool_choice none gets text', async () => {
    const body = await completion({ ...withTools, tool_choice: 'none' });

    expect(body.choices[0]?.message.content).toContain('rivers');
    expect(body.choices[0]?.finish_reason).toBe('stop');
  });

  test('a tool result is repeated as text', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'first', arguments: '{}' } };
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny and mild' },
    ];
    const body = await completion({ ...withTools, messages });

    expect(body.choices[0]?.message.content).toContain('sunny and mild');
    expect(body.choices[0]?.message.tool_calls).toBeUndefined();
  });
});
