import { deltasOf, type Encoded, type Reply, type Turn, type Usage } from './turn.js';

export function encodeChat(turn: Turn, reply: Exclude<Reply, { kind: 'error' }>, { input, output }: Usage): Encoded {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const base = { id: 'chatcmpl-1', created: 1_790_000_000, model: turn.model };
  const call = reply.kind === 'tool' ? callOf(reply.name, reply.input) : undefined;
  const content = reply.kind === 'text' ? reply.text : null;
  const finish_reason = call === undefined ? 'stop' : 'tool_calls';
  const message = { role: 'assistant', content, refusal: null, ...(call && { tool_calls: [call] }) };
  const choice = (delta: object, reason: string | null = null) => [{ index: 0, delta, finish_reason: reason }];
  const deltas = reply.kind === 'text' ? deltasOf(reply.text).map((part) => ({ content: part })) : callDeltas(call!);
  const chunks = [
    choice({ role: 'assistant', content: call === undefined ? '' : null }),
    ...deltas.map((delta) => choice(delta)),
    choice({}, finish_reason),
  ].map((choices) => ({ ...base, object: 'chat.completion.chunk', choices }));
  const asksForUsage = (turn.body.stream_options as { include_usage?: boolean } | null)?.include_usage === true;
  const last = asksForUsage ? [{ ...base, object: 'chat.completion.chunk', choices: [], usage }] : [];
  return {
    json: {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage,
    },
    events: [...[...chunks, ...last].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'],
  };
}

interface Call {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

function callOf(name: string, input: unknown): Call {
  const id = `call_${Math.random().toString(36).slice(2)}`;
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function callDeltas(call: Call): object[] {
  const text = call.function.arguments;
  const half = Math.ceil(text.length / 2);
  return [
    { tool_calls: [{ index: 0, ...call, function: { name: call.function.name, arguments: '' } }] },
    ...[text.slice(0, half), text.slice(half)].map((part) => ({
      tool_calls: [{ index: 0, function: { arguments: part } }],
    })),
  ];
}
