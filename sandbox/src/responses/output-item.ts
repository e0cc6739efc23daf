import type { Fingerprint } from '../simulation/fingerprint.js';
import { tokensOf } from '../simulation/tokens.js';
import type { SimulatedCall } from '../simulation/tools.js';
import type { JsonObject } from '../wire/json-object.js';
import { VENDOR_TOOLS } from './vendor-tools.data.js';

const SUMMARY = '**Looking at the request** The sandbox does not reason; it writes this summary for clients to show.';

/** A stream event: its type, and its fields except `type`, `output_index` and `sequence_number`. */
export type NamedFields = readonly [type: string, fields: JsonObject];

export interface OutputItem {
  readonly added: JsonObject;
  readonly events: readonly NamedFields[];
  readonly done: JsonObject;
}

export function messageItem(id: string, pieces: readonly string[], cut: boolean): OutputItem {
  const text = pieces.join('');
  const at = { item_id: id, content_index: 0 };
  const head = { id, type: 'message', role: 'assistant' };

  return {
    added: { ...head, status: 'in_progress', content: [] },
    events: [
      ['response.content_part.added', { ...at, part: textPart('') }],
      ...pieces.map((delta): NamedFields => ['response.output_text.delta', { ...at, delta, logprobs: [] }]),
      ['response.output_text.done', { ...at, text, logprobs: [] }],
      ['response.content_part.done', { ...at, part: textPart(text) }],
    ],
    done: { ...head, status: statusOf(cut), content: [textPart(text)] },
  };
}

/** @param encrypted content for the next request, or null */
export function reasoningItem(id: string, summarized: boolean, encrypted: string | null): OutputItem {
  const at = { item_id: id, summary_index: 0 };
  const part = { type: 'summary_text', text: SUMMARY };
  const content = encrypted === null ? {} : { encrypted_content: encrypted };
  const events: NamedFields[] = [
    ['response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }],
    ...tokensOf(SUMMARY).map((delta): NamedFields => ['response.reasoning_summary_text.delta', { ...at, delta }]),
    ['response.reasoning_summary_text.done', { ...at, text: SUMMARY }],
    ['response.reasoning_summary_part.done', { ...at, part }],
  ];

  return {
    added: { id, type: 'reasoning', summary: [], ...content },
    events: summarized ? events : [],
    done: { id, type: 'reasoning', summary: summarized ? [part] : [], ...content },
  };
}

export function compactionItem(id: string, encrypted: string): OutputItem {
  const item = { id, type: 'compaction', encrypted_content: encrypted };

  return { added: item, events: [], done: item };
}

export function callItem(call: SimulatedCall, index: number, fingerprint: Fingerprint, cut: boolean): OutputItem {
  const { tool, tokens } = call;
  const callId = fingerprint.id('call_', 24, `call ${index}`);

  switch (tool.kind) {
    case 'function':
    case 'custom':
      return clientCall(
        call,
        fingerprint.id(tool.kind === 'custom' ? 'ctc_' : 'fc_', 48, `item ${index}`),
        callId,
        cut,
      );
    case 'client':
    case 'server': {
      const { prefix, events, fields } = vendorTool(tool.name);
      const id = fingerprint.id(prefix, 48, `item ${index}`);
      const words = tokens.join('');
      const item = { id, ...fields({ callId, words, group: tool.group ?? '' }) };

      return {
        added: { ...item, status: 'in_progress' },
        events: events.map((name): NamedFields => [`response.${name}`, { item_id: id }]),
        done: { ...item, status: 'completed' },
      };
    }
    default:
      return tool.kind satisfies never;
  }
}

function clientCall({ tool, tokens }: SimulatedCall, id: string, callId: string, cut: boolean): OutputItem {
  const custom = tool.kind === 'custom';
  const [type, field, event] = custom
    ? (['custom_tool_call', 'input', 'custom_tool_call_input'] as const)
    : (['function_call', 'arguments', 'function_call_arguments'] as const);
  const text = tokens.join('');
  const group = tool.group === undefined ? {} : { namespace: tool.group };
  const head = { id, type, call_id: callId, name: tool.name, ...group };
  const name = custom ? {} : { name: tool.name };

  return {
    added: { ...head, status: 'in_progress', [field]: '' },
    events: [
      ...tokens.map((delta): NamedFields => [`response.${event}.delta`, { item_id: id, delta }]),
      [`response.${event}.done`, { item_id: id, ...name, [field]: text }],
    ],
    done: { ...head, status: statusOf(cut), [field]: text },
  };
}

function vendorTool(name: string): (typeof VENDOR_TOOLS)[string] {
  const tool = VENDOR_TOOLS[name];

  if (tool === undefined) throw new Error(`Unknown vendor tool: ${name}`);
  return tool;
}

function statusOf(cut: boolean): 'incomplete' | 'completed' {
  return cut ? 'incomplete' : 'completed';
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
