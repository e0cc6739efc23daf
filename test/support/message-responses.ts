import type { Script } from '../../sandbox/src/scripted/scripted-provider.js';

export const MODEL = 'claude-3-haiku-20240307';

/** A message body that passes every stage. */
export const MESSAGE = { model: MODEL, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };

const usage = { input_tokens: 11, output_tokens: 7 };
export const RESPONSE = {
  id: 'msg_scripted1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [{ type: 'text', text: 'Hello thére 👋' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
};
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'weather' };
export const TOOL_RESPONSE = { ...RESPONSE, content: [{ ...CALL, input: { city: 'Bern' } }], stop_reason: 'tool_use' };

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
const start = event('message_start', {
  message: { ...RESPONSE, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
});
const block = (content_block: object, deltas: object[]) =>
  event('content_block_start', { index: 0, content_block }) +
  event('ping', {}) +
  deltas.map((delta) => event('content_block_delta', { index: 0, delta })).join('') +
  event('content_block_stop', { index: 0 });
const stop = (stop_reason: string) =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 7 } }) +
  event('message_stop', {});

export const STREAM =
  start +
  block(
    { type: 'text', text: '' },
    ['Hello', ' thére', ' 👋'].map((text) => ({ type: 'text_delta', text })),
  ) +
  stop('end_turn');

/** A stream with a tool call, whose input arrives in several events. */
export const TOOL_STREAM =
  start +
  block(
    { ...CALL, input: {} },
    ['', '{"ci', 'ty":"Be', 'rn"}'].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ) +
  stop('tool_use');

/** Responds with `stream` if the body contains `stream: true`, otherwise with `buffered` as JSON. */
export const answering =
  (buffered: object, stream: string): Script =>
  (request, response) => {
    const streamed = request.method === 'POST' && request.json()['stream'] === true;
    response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
    response.end(streamed ? stream : JSON.stringify(buffered));
  };
