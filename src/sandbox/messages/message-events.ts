import { namedEvent } from '../wire/event-stream.js';
import { messageHead, messageUsage } from './message-object.js';
import type { AnswerBlock, MessagesAnswer } from './messages-answer.js';

/** The answer as named events: `message_start`, the blocks one after the other, `message_delta`, `message_stop`. */
export function* messageEvents(answer: MessagesAnswer): Generator<string> {
  const started = { content: [], stop_reason: null, stop_sequence: null, usage: messageUsage(answer.inputTokens, 1) };

  yield event('message_start', { message: { ...messageHead(answer), ...started } });
  for (const [index, block] of answer.blocks.entries()) {
    yield event('content_block_start', { index, content_block: emptyBlock(block) });
    if (index === 0) yield event('ping', {});
    for (const piece of block.pieces) yield event('content_block_delta', { index, delta: deltaOf(block, piece) });
    if (block.type === 'thinking') {
      yield event('content_block_delta', { index, delta: { type: 'signature_delta', signature: block.signature } });
    }
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: { stop_reason: answer.stopReason, stop_sequence: answer.stopSequence },
    usage: { output_tokens: answer.outputTokens },
  });
  yield event('message_stop', {});
}

function event(type: string, members: object): string {
  return namedEvent(type, { type, ...members });
}

function emptyBlock(block: AnswerBlock): object {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { type: 'text', text: '' };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} };
    default:
      return block satisfies never;
  }
}

function deltaOf({ type }: AnswerBlock, piece: string): object {
  switch (type) {
    case 'thinking':
      return { type: 'thinking_delta', thinking: piece };
    case 'text':
      return { type: 'text_delta', text: piece };
    case 'tool_use':
      return { type: 'input_json_delta', partial_json: piece };
    default:
      return type satisfies never;
  }
}
