import { pictureOf } from '../images/picture.js';
import type { JsonObject } from '../wire/json-object.js';

/** A tool that the vendor defines, and how its calls appear in the output. */
export interface VendorTool {
  readonly kind: 'client' | 'server';
  readonly prefix: string;
  /** The events between the start and the end of a call, without the prefix `response.`. */
  readonly events: readonly string[];
  readonly fields: (asked: VendorCallAsked) => JsonObject;
}

interface VendorCallAsked {
  readonly callId: string;
  /** The tool's name, which also serves as its query or prompt. The user's text is never copied. */
  readonly words: string;
  readonly group: string;
}

const HELLO = 'Hello from the sandbox';

/** Tools by type, without dates and `_preview` suffixes. */
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
