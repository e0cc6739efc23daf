import type { SimulatedCall } from '../simulation/tools.js';
import type { Fingerprint } from '../simulation/fingerprint.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { SERVER_TOOLS } from './vendor-tools.data.js';

export interface ResponseBlock {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly whole: JsonObject;
}

export function thinkingBlock(pieces: readonly string[], signature: string): ResponseBlock {
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
    whole: { type: 'thinking', thinking: pieces.join(''), signature },
  };
}

export function textBlock(pieces: readonly string[]): ResponseBlock {
  return {
    start: { type: 'text', text: '' },
    deltas: pieces.map((text) => ({ type: 'text_delta', text })),
    whole: { type: 'text', text: pieces.join('') },
  };
}

/** Returns the block of a tool call. For a server tool, its result follows as a second block. */
export function callBlocks({ tool, tokens }: SimulatedCall, index: number, fingerprint: Fingerprint): ResponseBlock[] {
  const salt = index === 0 ? 'tool' : `tool ${index}`;
  const server = tool.kind === 'server' ? SERVER_TOOLS[tool.name] : undefined;

  if (server !== undefined) {
    const id = fingerprint.id('srvtoolu_', 24, salt);
    const result = { ...server.result, tool_use_id: id };

    return [
      callBlock({ type: 'server_tool_use', id, name: tool.name }, [JSON.stringify(server.input)]),
      { start: result, deltas: [], whole: result },
    ];
  }

  const group = tool.group === undefined ? {} : { toolset_name: tool.group };
  const id = fingerprint.id('toolu_', 24, salt);

  return [callBlock({ type: 'tool_use', id, name: tool.name, ...group }, tokens)];
}

function callBlock(head: JsonObject, pieces: readonly string[]): ResponseBlock {
  return {
    start: { ...head, input: {} },
    deltas: pieces.map((json) => ({ type: 'input_json_delta', partial_json: json })),
    whole: { ...head, input: inputOf(pieces.join('')) },
  };
}

/** Returns an empty object if `max_tokens` truncated the arguments. */
function inputOf(json: string): object {
  try {
    const value: unknown = JSON.parse(json);

    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
