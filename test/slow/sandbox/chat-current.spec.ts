import { describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';

import { openaiFor, useSandbox } from '../../support/sandbox-client.js';

type Params = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>;

const sandbox = useSandbox();
const user = { role: 'user' as const, content: 'I like rivers' };
const hello: Params = { model: 'gpt-5.4-mini', messages: [user] };
const fn = (name: string): OpenAI.ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
});
const custom: OpenAI.ChatCompletionCustomTool = { type: 'custom', custom: { name: 'note' } };

/** Sends a request twice, buffered and through the SDK's stream helper, and expects the same messages and usage. */
async function ask(changes: Partial<Params>): Promise<OpenAI.ChatCompletion> {
  const client = openaiFor(sandbox);
  const asked = { ...hello, ...changes };
  const whole = await client.chat.completions.create(asked);
  const streamed = await client.chat.completions
    .stream({ ...asked, stream_options: { include_usage: true } })
    .finalChatCompletion();

  for (const [index, { message, finish_reason }] of whole.choices.entries()) {
    const other = streamed.choices[index];

    expect(other?.finish_reason).toBe(finish_reason);
    expect(other?.message.content ?? null).toBe(message.content);
    expect(other?.message.tool_calls?.length).toBe(message.tool_calls?.length);
  }
  expect(streamed.usage).toEqual(whole.usage);
  return whole;
}

describe('chat completions for current clients', () => {
  test.each(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const)(
    'effort %s determines whether reasoning tokens are counted',
    async (reasoning_effort) => {
      const { usage } = await ask({ reasoning_effort });
      const counted = (usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0;

      expect(counted).toBe(reasoning_effort !== 'none');
    },
  );

  test('images, an empty list of tools, a service tier and a verbosity are accepted', async () => {
    const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/x.png' } };
    const response = await ask({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }],
      tools: [],
      service_tier: 'priority',
      verbosity: 'low',
      n: 2,
    });

    expect(response.choices).toHaveLength(2);
    expect(response.choices[0]?.message.content).toContain('1 attachment');
    expect(response.service_tier).toBe('priority');
  });

  test('every token has its log probabilities on request', async () => {
    const [choice] = (await ask({ logprobs: true, top_logprobs: 1 })).choices;
    const content = choice?.logprobs?.content ?? [];

    expect(content.map(({ token }) => token).join('')).toBe(choice?.message.content);
    expect(content[0]?.top_logprobs).toHaveLength(1);
  });

  test('a request for audio gets a spoken response with its transcript', async () => {
    const client = openaiFor(sandbox);
    const asked = {
      ...hello,
      model: 'gpt-audio-1.5',
      modalities: ['text' as const, 'audio' as const],
      audio: { voice: 'alloy', format: 'wav' as const },
    };
    const { choices, usage } = await client.chat.completions.create(asked);
    const { content, audio } = choices[0]?.message ?? {};
    const transcripts: string[] = [];

    for await (const { choices: parts } of await client.chat.completions.create({ ...asked, stream: true })) {
      transcripts.push(parts[0]?.delta.audio?.transcript ?? '');
    }
    expect(content).toBeNull();
    expect(Buffer.from(audio?.data ?? '', 'base64').toString('latin1', 0, 4)).toBe('RIFF');
    expect(audio?.transcript).toContain('rivers');
    expect(transcripts.join('')).toBe(audio?.transcript);
    expect(usage?.completion_tokens_details?.audio_tokens).toBe(usage?.completion_tokens);
  });

  test('a stored completion can be read, changed, listed and deleted', async () => {
    const { completions } = openaiFor(sandbox).chat;
    const { id } = await completions.create({ ...hello, store: true, metadata: { a: 'b' } });

    expect(await completions.retrieve(id)).toMatchObject({ id, metadata: { a: 'b' } });
    expect(await completions.update(id, { metadata: { c: 'd' } })).toMatchObject({ metadata: { c: 'd' } });
    expect((await completions.list({ model: hello.model })).data.map((one) => one.id)).toEqual([id]);
    expect((await completions.messages.list(id)).data).toMatchObject([user]);
    expect(await completions.delete(id)).toMatchObject({ id, deleted: true });
    await expect(completions.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('tools of current chat completions', () => {
  const tools = [fn('first'), fn('second'), custom];
  const called = ({ choices }: OpenAI.ChatCompletion): unknown[] =>
    (choices[0]?.message.tool_calls ?? []).map((call) =>
      call.type === 'function' ? call.function.name : call.custom.name,
    );

  test.each<[string, Params['tool_choice'], string[]]>([
    ['none', 'none', []],
    ['auto', 'auto', ['first']],
    ['required', 'required', ['first']],
    ['a function', { type: 'function', function: { name: 'second' } }, ['second']],
    ['a custom tool', { type: 'custom', custom: { name: 'note' } }, ['note']],
    [
      'allowed tools',
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'second' } }] },
      },
      ['second'],
    ],
  ])('a tool_choice of %s is respected', async (_what, tool_choice, names) => {
    expect(called(await ask({ tools, ...(tool_choice === undefined ? {} : { tool_choice }) }))).toEqual(names);
  });

  test('every tool that the user names is called unless the request forbids parallel calls', async () => {
    const messages = [{ role: 'user' as const, content: 'Use second and note' }];

    expect(called(await ask({ tools, messages }))).toEqual(['second', 'note']);
    expect(called(await ask({ tools, messages, parallel_tool_calls: false }))).toEqual(['second']);
  });

  test('a custom tool is called with the user’s text', async () => {
    const { choices } = await ask({ tools: [custom] });

    expect(choices[0]?.message.tool_calls).toMatchObject([{ type: 'custom', custom: { input: user.content } }]);
  });

  test('legacy functions are called with function_call', async () => {
    const functions = [{ name: 'first' }, { name: 'second', parameters: { properties: { city: {} } } }];
    const { choices } = await ask({ functions, function_call: { name: 'second' } });

    expect(choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { content: null, function_call: { name: 'second', arguments: '{"city":"Paris"}' } },
    });

    const messages: Params['messages'] = [
      user,
      { role: 'assistant', content: null, function_call: { name: 'second', arguments: '{}' } },
      { role: 'function', name: 'second', content: 'It is sunny.' },
    ];

    expect((await ask({ functions, messages })).choices[0]?.message.content).toContain('It is sunny.');
  });

  test('a tool is called again after a result if tool_choice requires it', async () => {
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'first', arguments: '{}' } };
    const messages: Params['messages'] = [
      user,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'no' },
    ];

    expect(called(await ask({ tools, messages, tool_choice: 'required' }))).toEqual(['first']);
  });

  test('a tool that runs commands never gets the user’s text', async () => {
    const shell = {
      ...fn('shell'),
      function: { name: 'shell', parameters: { properties: { command: { type: 'string' } } } },
    };
    const { choices } = await ask({ tools: [shell], messages: [{ role: 'user', content: 'rm -rf /' }] });

    expect(JSON.stringify(choices[0]?.message)).not.toContain('rm -rf');
  });
});
