import { namedEvent } from '../wire/event-stream.js';
import { cumulativeUsage, messageHead, messageUsage } from './message-object.js';
import type { MessagesAnswer } from './messages-answer.js';

/** Streams the response as named events: `message_start`, the blocks in order, `message_delta`, `message_stop`. */
export function* messageEvents(answer: MessagesAnswer): Generator<string> {
  const started = { content: [], stop_reason: null, stop_sequence: null, usage: messageUsage(answer, 1) };

  yield event('message_start', { message: { ...messageHead(answer), ...started } });
  for (const [index, { start, deltas }] of answer.blocks.entries()) {
    yield event('content_block_start', { index, content_block: start });
    if (index === 0) yield event('ping', {});
    for (const delta of deltas) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: {
      stop_reason: answer.stopReason,
      stop_sequence: answer.stopSequence,
      stop_details: null,
      container: null,
    },
    usage: cumulativeUsage(answer),
  });
  yield event('message_stop', {});
}

function event(type: string, members: object): string {
  return namedEvent(type, { type, ...members });
}
