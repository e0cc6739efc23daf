import { deltasOf, type Encoded, type Reply, type Turn, type Usage } from './turn.js';

export function encodeMessage(turn: Turn, reply: Exclude<Reply, { kind: 'error' }>, { input, output }: Usage): Encoded {
  const base = { id: 'msg_1', type: 'message', role: 'assistant', model: turn.model };
  const stop_reason = reply.kind === 'tool' ? 'tool_use' : 'end_turn';
  const block =
    reply.kind === 'tool'
      ? { type: 'tool_use', id: `toolu_${Math.random().toString(36).slice(2)}`, name: reply.name, input: reply.input }
      : { type: 'text', text: reply.text };
  const usage = {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
  };
  const start = { ...base, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  const empty = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
  const deltas =
    reply.kind === 'tool'
      ? deltasOf(JSON.stringify(reply.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      : deltasOf(reply.text).map((text) => ({ type: 'text_delta', text }));
  const events = [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  ];
  return {
    json: { ...base, content: [block], stop_reason, stop_sequence: null, usage },
    events: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  };
}
