import type { ReceivedRequest } from '../../sandbox/src/scripted/received-request.js';
import type { Script } from '../../sandbox/src/scripted/scripted-provider.js';

export const MODEL = 'gpt-4o-mini';

export const REQUEST = { model: MODEL, input: 'Hello' };

const base = { id: 'resp_scripted1', object: 'response', created_at: 1_700_000_000, model: MODEL };
const usage = { input_tokens: 13, output_tokens: 5, total_tokens: 18 };
const part = { type: 'output_text', text: 'Hello thére 👋', annotations: [] };
const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
export const RESPONSE = { ...base, status: 'completed', output: [message], usage };

const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' };
const TOOL_RESPONSE = { ...RESPONSE, output: [{ ...call, status: 'completed' }] };

let sequence_number = 0;
const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...data })}\n\n`;
const begun = { response: { ...base, status: 'in_progress', output: [] } };
const item = { output_index: 0, item_id: 'msg_1', content_index: 0 };

export const STREAM = [
  event('response.created', begun),
  event('response.in_progress', begun),
  event('response.output_item.added', { output_index: 0, item: { ...message, status: 'in_progress', content: [] } }),
  event('response.content_part.added', { ...item, part: { ...part, text: '' } }),
  ...['Hello', ' thére', ' 👋'].map((delta) => event('response.output_text.delta', { ...item, delta })),
  event('response.output_text.done', { ...item, text: part.text }),
  event('response.content_part.done', { ...item, part }),
  event('response.output_item.done', { output_index: 0, item: message }),
  event('response.completed', { response: RESPONSE }),
].join('');

const TOOL_STREAM = [
  event('response.created', begun),
  event('response.output_item.added', { output_index: 0, item: { ...call, arguments: '' } }),
  ...['{"city":', '"Bern"}'].map((delta) =>
    event('response.function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta }),
  ),
  event('response.function_call_arguments.done', { output_index: 0, item_id: 'fc_1', arguments: call.arguments }),
  event('response.output_item.done', { output_index: 0, item: call }),
  event('response.completed', { response: TOOL_RESPONSE }),
].join('');

const hasTools = (request: ReceivedRequest) => request.json()['tools'] !== undefined;

/** Responds with a function call if the body contains tools, otherwise with text. Streams if the body requests it. */
export const respondToResponses: Script = (request, response) => {
  const streamed = request.json()['stream'] === true;
  response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
  if (streamed) response.end(hasTools(request) ? TOOL_STREAM : STREAM);
  else response.end(JSON.stringify(hasTools(request) ? TOOL_RESPONSE : RESPONSE));
};
