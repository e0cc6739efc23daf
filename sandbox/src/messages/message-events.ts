import { namedEvent } from '../wire/event-stream.js';
import { cumulativeUsage, messageHead, messageUsage } from './message-object.js';
import type { MessagesResponse } from './messages-response.js';

/** Streams the response as named events: `message_start`, the blocks in order, `message_delta`, `message_stop`. */
export function* messageEvents(response: MessagesResponse): Generator<string> {
  const started = { content: [], stop_reason: null, stop_sequence: null, usage: messageUsage(response, 1) };

  yield event('message_start', { message: { ...messageHead(response), ...started } });
  for (const [index, { start, deltas }] of response.blocks.entries()) {
    yield event('content_block_start', { index, content_block: start });
    if (index === 0) yield event('ping', {});
    for (const delta of deltas) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: {
      stop_reason: response.stopReason,
      stop_sequence: response.stopSequence,
      stop_details: null,
      container: null,
    },
    usage: cumulativeUsage(response),
  });
  yield event('message_stop', {});
}

function event(type: string, fields: object): string {
  return namedEvent(type, { type, ...fields });
}
