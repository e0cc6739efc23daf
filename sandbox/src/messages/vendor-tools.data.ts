import type { SimulatedTool } from '../simulation/tools.js';
import type { JsonObject } from '../wire/json-object.js';

const HELLO = 'Hello from the sandbox';

interface ClientTool {
  readonly type: RegExp;
  readonly name: string;
  readonly input: JsonObject;
  readonly group?: string;
}

const CLIENT_TOOLS: readonly ClientTool[] = [
  { type: /^bash_/, name: 'bash', input: { command: `echo "${HELLO}"` } },
  { type: /^text_editor_/, name: 'str_replace_based_edit_tool', input: { command: 'view', path: '/' } },
  { type: /^memory_/, name: 'memory', input: { command: 'view', path: '/memories' } },
  { type: /^computer_toolset_/, name: 'screenshot', input: {}, group: 'computer' },
  { type: /^computer_/, name: 'computer', input: { action: 'screenshot' } },
  { type: /^browser_toolset_/, name: 'list_tabs', input: {}, group: 'browser' },
];

/** Tools that the vendor runs, by name, with the input and the result block of a call. */
export const SERVER_TOOLS: Readonly<Record<string, { readonly input: JsonObject; readonly result: JsonObject }>> = {
  web_search: {
    input: { query: 'sandbox' },
    result: {
      type: 'web_search_tool_result',
      content: [
        {
          type: 'web_search_result',
          title: HELLO,
          url: 'https://example.com/',
          encrypted_content: 'c2FuZGJveA==',
          page_age: null,
        },
      ],
    },
  },
  web_fetch: {
    input: { url: 'https://example.com/' },
    result: {
      type: 'web_fetch_tool_result',
      content: {
        type: 'web_fetch_result',
        url: 'https://example.com/',
        retrieved_at: null,
        content: {
          type: 'document',
          title: null,
          citations: null,
          source: { type: 'text', media_type: 'text/plain', data: HELLO },
        },
      },
    },
  },
  code_execution: {
    input: { code: `print("${HELLO}")` },
    result: {
      type: 'code_execution_tool_result',
      content: { type: 'code_execution_result', stdout: `${HELLO}\n`, stderr: '', return_code: 0, content: [] },
    },
  },
};

export function vendorTool(type: string, name: unknown): SimulatedTool | undefined {
  if (typeof name === 'string' && SERVER_TOOLS[name] !== undefined) return { name, kind: 'server' };

  const tool = CLIENT_TOOLS.find((known) => known.type.test(type));

  if (tool === undefined) return undefined;
  return {
    name: typeof name === 'string' ? name : tool.name,
    kind: 'function',
    parameters: { const: tool.input },
    ...(tool.group === undefined ? {} : { group: tool.group }),
  };
}
