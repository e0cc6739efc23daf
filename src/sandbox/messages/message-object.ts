import { isJsonObject } from '../wire/json-object.js';
import type { AnswerBlock, MessagesAnswer } from './messages-answer.js';
import type { StoredMessage } from './stored-message.js';

/** The whole answer as its vendor writes it. */
export function messageObject(answer: MessagesAnswer): StoredMessage {
  return {
    ...messageHead(answer),
    content: answer.blocks.map(blockOf),
    stop_reason: answer.stopReason,
    stop_sequence: answer.stopSequence,
    usage: messageUsage(answer.inputTokens, answer.outputTokens),
  };
}

export function messageHead({
  id,
  model,
}: MessagesAnswer): { readonly id: string } & Readonly<Record<string, unknown>> {
  return { id, type: 'message', role: 'assistant', model };
}

export function messageUsage(inputTokens: number, outputTokens: number): object {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

function blockOf(block: AnswerBlock): object {
  const text = block.pieces.join('');

  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: text, signature: block.signature };
    case 'text':
      return { type: 'text', text };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: inputOf(text) };
    default:
      return block satisfies never;
  }
}

/** Empty where `max_tokens` cut the arguments in the middle. */
function inputOf(json: string): object {
  try {
    const value: unknown = JSON.parse(json);

    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
