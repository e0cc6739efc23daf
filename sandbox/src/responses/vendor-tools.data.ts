import { pictureOf } from '../images/picture.js';
import type { JsonObject } from '../wire/json-object.js';

/** A tool that the vendor defines: how a call of it appears in the output. */
export interface VendorTool {
  /** The side that runs the tool. */
  readonly kind: 'client' | 'server';
  /** Prefix of the item's ID. */
  readonly prefix: string;
  /** The events between the start and the end of the call, without `response.`. */
  readonly events: readonly string[];
  /** The fields of the item, without `id` and `status`. */
  readonly fields: (asked: VendorCallAsked) => JsonObject;
}

interface VendorCallAsked {
  readonly callId: string;
  /** The user's words. */
  readonly words: string;
  /** The MCP server. */
  readonly group: string;
}

const HELLO = 'Hello from the sandbox';

/** By tool type, without the date and the `_preview` of its versions. */
export const VENDOR_TOOLS: Readonly<Record<string, VendorTool>> = {
  web_search: {
    kind: 'server',
    prefix: 'ws_',
    events: ['web_search_call.in_progress', 'web_search_call.searching', 'web_search_call.completed'],
    fields: ({ words }) => ({ type: 'web_search_call', action: { type: 'search', query: words, queries: [words] } }),
  },
  file_search: {
    kind: 'server',
    prefix: 'fs_',
    events: ['file_search_call.in_progress', 'file_search_call.searching', 'file_search_call.completed'],
    fields: ({ words }) => ({ type: 'file_search_call', queries: [words], results: null }),
  },
  code_interpreter: {
    kind: 'server',
    prefix: 'ci_',
    events: [
      'code_interpreter_call.in_progress',
      'code_interpreter_call.interpreting',
      'code_interpreter_call.completed',
    ],
    fields: () => ({
      type: 'code_interpreter_call',
      code: `print("${HELLO}")`,
      container_id: 'cntr_sandbox',
      outputs: [{ type: 'logs', logs: `${HELLO}\n` }],
    }),
  },
  image_generation: {
    kind: 'server',
    prefix: 'ig_',
    events: [
      'image_generation_call.in_progress',
      'image_generation_call.generating',
      'image_generation_call.completed',
    ],
    fields: ({ callId, words }) => ({
      type: 'image_generation_call',
      result: pictureOf('png', callId).toString('base64'),
      revised_prompt: words,
      output_format: 'png',
      size: '1024x1024',
      quality: 'high',
      background: 'opaque',
    }),
  },
  mcp: {
    kind: 'server',
    prefix: 'mcp_',
    events: ['mcp_call.in_progress', 'mcp_call.completed'],
    fields: ({ group }) => ({
      type: 'mcp_call',
      server_label: group,
      name: 'sandbox',
      arguments: '{}',
      output: HELLO,
      error: null,
      approval_request_id: null,
    }),
  },
  tool_search: {
    kind: 'server',
    prefix: 'ts_',
    events: [],
    fields: ({ words }) => ({
      type: 'tool_search_call',
      call_id: null,
      execution: 'server',
      arguments: { query: words },
    }),
  },
  local_shell: {
    kind: 'client',
    prefix: 'lsh_',
    events: [],
    fields: ({ callId }) => ({
      type: 'local_shell_call',
      call_id: callId,
      action: { type: 'exec', command: ['echo', HELLO], env: {} },
    }),
  },
  shell: {
    kind: 'client',
    prefix: 'sh_',
    events: [],
    fields: ({ callId }) => ({
      type: 'shell_call',
      call_id: callId,
      action: { commands: [`echo "${HELLO}"`], max_output_length: null, timeout_ms: null },
      environment: null,
    }),
  },
  apply_patch: {
    kind: 'client',
    prefix: 'apc_',
    events: [],
    fields: ({ callId }) => ({
      type: 'apply_patch_call',
      call_id: callId,
      operation: { type: 'create_file', path: 'sandbox.txt', diff: `+${HELLO}\n` },
    }),
  },
  computer: {
    kind: 'client',
    prefix: 'cu_',
    events: [],
    fields: ({ callId }) => ({
      type: 'computer_call',
      call_id: callId,
      action: { type: 'screenshot' },
      actions: [{ type: 'screenshot' }],
      pending_safety_checks: [],
    }),
  },
};
