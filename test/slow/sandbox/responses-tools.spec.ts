import { describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';

import { openaiFor, useSandbox } from '../../support/sandbox-client.js';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const sandbox = useSandbox();
const model = 'gpt-6-codex';
const cityTool = (name: string): OpenAI.Responses.FunctionTool => ({
  type: 'function',
  name,
  strict: null,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});

/** Fields that differ between streamed and buffered responses, or that the SDK adds. */
const DIFFERENT_FIELDS = ['id', 'call_id', 'encrypted_content', 'result', 'parsed_arguments', 'parsed'];

function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, field: unknown) =>
    DIFFERENT_FIELDS.includes(key) ? undefined : field,
  );
}

/** Sends a request twice, buffered and through the SDK's stream helper, and expects the same output and usage. */
async function ask(asked: Omit<Params, 'stream'>): Promise<OpenAI.Responses.Response> {
  const client = openaiFor(sandbox);
  const whole = await client.responses.create(asked);
  const streamed = await client.responses.stream(asked).finalResponse();

  expect(withoutIds(streamed.output)).toEqual(withoutIds(whole.output));
  expect(streamed.usage).toEqual(whole.usage);
  return whole;
}

describe('tools of a response', () => {
  test('an empty list of tools is accepted', async () => {
    const { output } = await ask({ model, input: 'hi', tools: [] });

    expect(output).toMatchObject([{ type: 'message' }]);
  });

  test('a custom tool is called with the user’s text', async () => {
    const { output } = await ask({ model, input: 'Write it.', tools: [{ type: 'custom', name: 'note' }] });

    expect(output).toMatchObject([
      { type: 'custom_tool_call', name: 'note', input: 'Write it.', call_id: expect.stringMatching(/^call_/) },
    ]);
  });

  test('a call of a tool in a namespace names the namespace', async () => {
    const tools: Params['tools'] = [
      { type: 'web_search' },
      { type: 'namespace', name: 'weather', description: 'Weather', tools: [cityTool('now'), cityTool('later')] },
    ];
    const { output } = await ask({ model, input: 'Use later', tools });

    expect(output).toMatchObject([{ type: 'function_call', name: 'later', namespace: 'weather' }]);
  });

  test('every tool that the user names is called unless the request forbids parallel calls', async () => {
    const asked = { model, input: 'Use first and second', tools: [cityTool('first'), cityTool('second')] };
    const names = (response: OpenAI.Responses.Response): unknown[] =>
      response.output.map((item) => Reflect.get(item, 'name'));

    expect(names(await ask(asked))).toEqual(['first', 'second']);
    expect(names(await ask({ ...asked, parallel_tool_calls: false }))).toEqual(['first']);
  });

  test('a tool from an additional_tools item is called', async () => {
    const input: Params['input'] = [
      { type: 'additional_tools', role: 'developer', tools: [cityTool('added')] },
      { role: 'user', content: 'hi' },
    ];

    expect((await ask({ model, input })).output).toMatchObject([{ type: 'function_call', name: 'added' }]);
  });

  test.each<[string, Params['tool_choice'], string]>([
    ['none', 'none', 'message'],
    ['required', 'required', 'function_call'],
    ['a function', { type: 'function', name: 'second' }, 'function_call'],
    ['a custom tool', { type: 'custom', name: 'note' }, 'custom_tool_call'],
    [
      'allowed tools',
      { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'note' }] },
      'custom_tool_call',
    ],
    ['an allowed vendor tool', { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'shell' }] }, 'message'],
    ['a required vendor tool', { type: 'allowed_tools', mode: 'required', tools: [{ type: 'shell' }] }, 'shell_call'],
    ['the shell', { type: 'shell' }, 'shell_call'],
    ['apply_patch', { type: 'apply_patch' }, 'apply_patch_call'],
    ['a preview of web search', { type: 'web_search_preview' }, 'web_search_call'],
    ['file search', { type: 'file_search' }, 'file_search_call'],
    ['the code interpreter', { type: 'code_interpreter' }, 'code_interpreter_call'],
    ['image generation', { type: 'image_generation' }, 'image_generation_call'],
    ['the computer', { type: 'computer_use_preview' }, 'computer_call'],
    ['an MCP server', { type: 'mcp', server_label: 'docs' }, 'mcp_call'],
  ])('a tool_choice of %s is respected', async (_what, tool_choice, type) => {
    const tools: Params['tools'] = [
      cityTool('first'),
      cityTool('second'),
      { type: 'custom', name: 'note' },
      { type: 'shell' },
      { type: 'apply_patch' },
      { type: 'local_shell' },
      { type: 'tool_search' },
      { type: 'web_search' },
      { type: 'file_search', vector_store_ids: ['vs_1'] },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'image_generation' },
      { type: 'computer_use_preview', environment: 'linux', display_width: 100, display_height: 100 },
      { type: 'mcp', server_label: 'docs', server_url: 'https://example.com/' },
    ];
    const { output } = await ask({ model, input: 'hi', tools, tool_choice });

    expect(output[0]).toMatchObject({ type });
  });

  test('the call of a server tool is followed by text', async () => {
    const { output, output_text } = await ask({
      model,
      input: 'Use web_search',
      tools: [cityTool('first'), { type: 'web_search' }],
    });

    expect(output.map(({ type }) => type)).toEqual(['web_search_call', 'message']);
    expect(output_text).toContain('web_search');
  });

  test.each<[string, OpenAI.Responses.ResponseInputItem[]]>([
    ['a custom tool', [{ type: 'custom_tool_call_output', call_id: 'call_1', output: 'It is sunny.' }]],
    [
      'a function',
      [{ type: 'function_call_output', call_id: 'call_1', output: [{ type: 'input_text', text: 'It is sunny.' }] }],
    ],
    [
      'the shell after items of other types',
      [
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'item_reference', id: 'msg_1' },
        { type: 'compaction', encrypted_content: 'c2FuZGJveA==' },
        {
          type: 'shell_call_output',
          call_id: 'call_1',
          output: [{ stdout: 'It is sunny.', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        },
      ],
    ],
  ])('the result of %s is repeated as text', async (_what, items) => {
    const input: Params['input'] = [{ role: 'user', content: 'How is it?' }, ...items];
    const { output_text } = await ask({ model, input, tools: [cityTool('first')] });

    expect(output_text).toContain('It is sunny.');
  });
});

describe('reasoning of a response', () => {
  test.each(['minimal', 'low', 'medium', 'high', 'xhigh'] as const)(
    'reasoning tokens are counted at effort %s',
    async (effort) => {
      const response = await ask({ model, input: 'hi', reasoning: { effort } });

      expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
      expect(response.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    },
  );

  test('effort none returns no reasoning item', async () => {
    const response = await ask({ model, input: 'hi', reasoning: { effort: 'none', summary: 'auto' } });

    expect(response.output.map(({ type }) => type)).toEqual(['message']);
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBe(0);
  });

  test('a reasoning item has a summary and encrypted content on request', async () => {
    const { output } = await ask({
      model,
      input: 'hi',
      store: false,
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    });

    expect(output[0]).toMatchObject({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: expect.stringContaining('sandbox') }],
      encrypted_content: expect.stringMatching(/\w/),
    });
  });

  test('reasoning tokens count towards max_output_tokens', async () => {
    const response = await ask({ model, input: 'hi', max_output_tokens: 16, reasoning: { effort: 'high' } });

    expect(response).toMatchObject({ status: 'incomplete', usage: { output_tokens: 16 } });
  });
});
