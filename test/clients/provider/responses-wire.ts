import { deltasOf, type Encoded, type Reply, type Turn, type Usage } from './turn.js';

export function encodeResponse(turn: Turn, reply: Exclude<Reply, { kind: 'error' }>, usage: Usage): Encoded {
  const id = Math.random().toString(36).slice(2);
  const item = itemOf(turn, reply, id);
  const done = responseOf(turn, id, 'completed', [item], usage);
  const started = responseOf(turn, id, 'in_progress', []);
  const at = { item_id: item.id, output_index: 0 };
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', ...emptyOf(item) } },
    ...eventsOf(item, at),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ];
  return {
    json: done,
    events: events.map(
      (event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    ),
  };
}

type Item = ReturnType<typeof messageItem> | ReturnType<typeof callItem> | ReturnType<typeof compactionItem>;

function itemOf(turn: Turn, reply: Exclude<Reply, { kind: 'error' }>, id: string): Item {
  if (reply.kind === 'tool') return callItem(id, reply.name, reply.input);
  return turn.compacts ? compactionItem(id, reply.text) : messageItem(id, reply.text);
}

function compactionItem(id: string, text: string) {
  return { id: `cmp_${id}`, type: 'compaction' as const, encrypted_content: Buffer.from(text).toString('base64') };
}

function messageItem(id: string, text: string) {
  const content = [{ type: 'output_text' as const, text, annotations: [], logprobs: [] }];
  return { id: `msg_${id}`, type: 'message' as const, status: 'completed', role: 'assistant' as const, content };
}

function callItem(id: string, name: string, input: unknown) {
  const call_id = `call_${id}`;
  const text = JSON.stringify(input);
  return { id: `fc_${id}`, type: 'function_call' as const, status: 'completed', call_id, name, arguments: text };
}

function emptyOf({ type }: Item): object {
  if (type === 'compaction') return {};
  return type === 'message' ? { content: [] } : { arguments: '' };
}

function eventsOf(item: Item, at: object): readonly { readonly type: string }[] {
  if (item.type === 'compaction') return [];
  return item.type === 'message' ? textEvents(at, item.content[0]!.text) : callEvents(at, item.arguments);
}

function textEvents(at: object, text: string) {
  const place = { ...at, content_index: 0 };
  const part = (of: string) => ({ type: 'output_text', text: of, annotations: [], logprobs: [] });
  return [
    { type: 'response.content_part.added', ...place, part: part('') },
    ...deltasOf(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: part(text) },
  ];
}

function callEvents(at: object, text: string) {
  return [
    ...deltasOf(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: text },
  ];
}

function responseOf(turn: Turn, id: string, status: string, output: readonly Item[], usage?: Usage) {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_790_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: turn.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: usage === undefined ? null : usageOf(usage),
  };
}

const usageOf = ({ input, output }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});
