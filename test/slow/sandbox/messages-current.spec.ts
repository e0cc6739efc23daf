import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';

import { anthropicFor, useSandbox } from '../../support/sandbox-client.js';

type Params = Anthropic.MessageCreateParamsNonStreaming;

const sandbox = useSandbox();
const model = 'claude-opus-5';
const hello: Params = { model, max_tokens: 500, messages: [{ role: 'user', content: 'How warm is it?' }] };
const weather: Anthropic.Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Sends a request twice, buffered and through the SDK's stream helper, and expects the same block types and usage. */
async function ask(changes: Partial<Params>): Promise<Anthropic.Message> {
  const asked = { ...hello, ...changes };
  const whole = await anthropicFor(sandbox).messages.create(asked);
  const streamed = await anthropicFor(sandbox).messages.stream(asked).finalMessage();
  const types = (message: Anthropic.Message): unknown[] => message.content.map(({ type }) => type);

  expect(types(streamed)).toEqual(types(whole));
  expect(streamed.usage).toEqual(whole.usage);
  expect(streamed.stop_reason).toBe(whole.stop_reason);
  return whole;
}

describe('Messages API for current clients', () => {
  test.each<[string, Partial<Params>]>([
    ['an empty list of tools', { tools: [] }],
    ['an effort', { output_config: { effort: 'xhigh' } }],
    ['two user messages in a row', { messages: [...hello.messages, { role: 'user', content: 'And there?' }] }],
    [
      'an assistant message at the beginning',
      { messages: [{ role: 'assistant', content: 'Welcome' }, ...hello.messages] },
    ],
    ['six stop sequences', { stop_sequences: ['aa', 'bb', 'cc', 'dd', 'ee', 'ff'] }],
    ['a service tier', { service_tier: 'standard_only' }],
  ])('a request with %s succeeds', async (_what, changes) => {
    expect(await ask(changes)).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] });
  });

  test('a tool is called although a system message follows the user message', async () => {
    const messages: Params['messages'] = [...hello.messages, { role: 'system', content: 'Be brief.' }];

    expect(await ask({ messages, tools: [weather] })).toMatchObject({ stop_reason: 'tool_use' });
  });

  test('max_tokens 0 returns no content', async () => {
    expect(await ask({ max_tokens: 0, tools: [weather] })).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 0 },
    });
  });

  test('structured output matches its schema', async () => {
    const schema = { type: 'object', properties: { degrees: { type: 'integer' } }, required: ['degrees'] };
    const { content } = await ask({ output_config: { effort: 'low', format: { type: 'json_schema', schema } } });

    expect(content).toMatchObject([{ text: '{"degrees":1}' }]);
  });

  test('the text of a document is read from every kind of source that contains text', async () => {
    const document = (source: Anthropic.DocumentBlockParam['source']): Anthropic.MessageParam[] => [
      { role: 'user', content: [{ type: 'document', source }] },
    ];
    const content = [{ type: 'text' as const, text: 'Inside' }];

    for (const source of [
      { type: 'content' as const, content },
      { type: 'text' as const, media_type: 'text/plain' as const, data: 'Inside' },
    ]) {
      expect(await ask({ messages: document(source) })).toMatchObject({
        content: [{ text: expect.stringContaining('"Inside"') }],
      });
    }
    expect(await ask({ messages: document({ type: 'file', file_id: 'file_1' }) })).toMatchObject({
      content: [{ text: expect.stringContaining('1 attachment') }],
    });
  });
});

describe('extended thinking', () => {
  test.each<[string, Anthropic.ThinkingConfigParam]>([
    ['adaptive', { type: 'adaptive' }],
    ['enabled', { type: 'enabled', budget_tokens: 1024 }],
  ])('%s thinking precedes the text and is counted', async (_what, thinking) => {
    const { content, usage } = await ask({ thinking });

    expect(content).toMatchObject([
      { type: 'thinking', thinking: expect.stringContaining('sandbox'), signature: expect.stringMatching(/\w/) },
      { type: 'text' },
    ]);
    expect(usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(5);
  });

  test('a thinking block has no text if the request omits it', async () => {
    const { content } = await ask({ thinking: { type: 'adaptive', display: 'omitted' } });

    expect(content[0]).toMatchObject({ type: 'thinking', thinking: '', signature: expect.stringMatching(/\w/) });
  });

  test('thinking between tools occurs only after a tool result', async () => {
    const thinking = { type: 'between_tools' as const };
    const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'weather', input: {} };
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_1', content: '21 degrees' };
    const types = (message: Anthropic.Message): unknown[] => message.content.map(({ type }) => type);

    expect(types(await ask({ thinking }))).toEqual(['text']);
    expect(
      types(
        await ask({
          thinking,
          messages: [...hello.messages, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }],
        }),
      ),
    ).toEqual(['thinking', 'text']);
  });
});

describe('vendor-defined tools', () => {
  test.each<[string, Anthropic.ToolUnion, object]>([
    [
      'bash',
      { type: 'bash_20250124', name: 'bash' },
      { name: 'bash', input: { command: 'echo "Hello from the sandbox"' } },
    ],
    [
      'the text editor',
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      { name: 'str_replace_based_edit_tool', input: { command: 'view', path: '/' } },
    ],
    ['the memory tool', { type: 'memory_20250818', name: 'memory' }, { name: 'memory', input: { command: 'view' } }],
    ['the computer toolset', { type: 'computer_toolset_20260801' }, { name: 'screenshot', toolset_name: 'computer' }],
    ['the browser toolset', { type: 'browser_toolset_20260801' }, { name: 'list_tabs', toolset_name: 'browser' }],
  ])('%s is called for the client to execute', async (_what, tool, call) => {
    const { content, stop_reason } = await ask({ tools: [tool] });

    expect(stop_reason).toBe('tool_use');
    expect(content).toMatchObject([{ type: 'tool_use', ...call }]);
  });

  test('a server tool that tool_choice names is called, and its result and text follow', async () => {
    const { content, usage, stop_reason } = await ask({
      tools: [weather, { type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'tool', name: 'web_search' },
    });

    expect(content.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text']);
    expect(usage.server_tool_use).toEqual({ web_search_requests: 1, web_fetch_requests: 0 });
    expect(stop_reason).toBe('end_turn');
  });

  test('a toolset without a name is accepted', async () => {
    const tools = [{ type: 'mcp_toolset', mcp_server_name: 'docs' } as unknown as Anthropic.ToolUnion];

    expect(await ask({ tools })).toMatchObject({ stop_reason: 'end_turn' });
  });

  test('tools are called in parallel unless the request disables it', async () => {
    const messages: Params['messages'] = [{ role: 'user', content: 'Use weather and bash' }];
    const tools: Params['tools'] = [weather, { type: 'bash_20250124', name: 'bash' }];

    expect((await ask({ messages, tools })).content).toHaveLength(2);
    expect(
      (await ask({ messages, tools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } })).content,
    ).toHaveLength(1);
  });
});

describe('prompt cache usage', () => {
  const cached = (ttl: '5m' | '1h'): Anthropic.TextBlockParam[] => [
    { type: 'text', text: 'word '.repeat(100), cache_control: { type: 'ephemeral', ttl } },
  ];

  test('a new conversation writes to the cache up to its last breakpoint', async () => {
    const plain = await ask({ system: 'word '.repeat(100) });
    const { usage } = await ask({ system: cached('1h') });

    expect(usage).toMatchObject({
      input_tokens: plain.usage.input_tokens - 105,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 105,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 105 },
    });
  });

  test('a continued conversation reads from the cache up to its first breakpoint', async () => {
    const messages: Params['messages'] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: cached('5m') },
    ];
    const { usage } = await ask({ system: cached('5m'), messages });

    expect(usage.cache_read_input_tokens).toBe(105);
    expect(usage.cache_creation?.ephemeral_5m_input_tokens).toBeGreaterThan(105);
    expect(usage.cache_creation?.ephemeral_5m_input_tokens).toBe(usage.cache_creation_input_tokens);
  });

  test('caching does not change the number of prompt tokens', async () => {
    const counted = await anthropicFor(sandbox).messages.countTokens({
      model,
      system: cached('5m'),
      messages: hello.messages,
    });
    const { usage } = await ask({ system: cached('5m'), cache_control: { type: 'ephemeral' } });

    expect(usage.input_tokens + (usage.cache_creation_input_tokens ?? 0)).toBe(counted.input_tokens);
  });
});
