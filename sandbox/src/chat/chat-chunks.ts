import { dataEvent, DONE_EVENT } from '../wire/event-stream.js';
import type { JsonObject } from '../wire/json-object.js';
import type { ChatPayload, ChatChoice } from './chat-response.js';
import { logprobsOf, SYSTEM_FINGERPRINT } from './chat-completion.js';

/**
 * Streams the response as `chat.completion.chunk` events: the role, the tokens, the finish reason, then the usage if
 * requested, and `[DONE]`. All choices advance in parallel.
 */
export function* chatChunks(response: ChatPayload, includeUsage: boolean): Generator<string> {
  // If the request asks for usage, every chunk has the field. It is null in all but the last.
  const usage = includeUsage ? { usage: null } : {};
  const choices = response.choices.map((choice) => ({ choice, deltas: deltasOf(choice, response.legacy) }));
  const steps = Math.max(...choices.map(({ deltas }) => deltas.length));

  for (let step = 0; step < steps; step += 1) {
    const running = choices.flatMap(({ choice, deltas }) => {
      const delta = deltas[step];

      return delta === undefined ? [] : [dataEvent(chunk(response, [partOf(response, choice, delta)], usage))];
    });

    yield running.join('');
  }
  yield choices
    .map(({ choice: { index, finishReason } }) => ({ index, delta: {}, logprobs: null, finish_reason: finishReason }))
    .map((end) => dataEvent(chunk(response, [end], usage)))
    .join('');
  if (includeUsage) yield dataEvent(chunk(response, [], { usage: response.usage }));
  yield DONE_EVENT;
}

function chunk(response: ChatPayload, choices: readonly object[], usage: object): object {
  return {
    id: response.id,
    object: 'chat.completion.chunk',
    created: response.created,
    model: response.model,
    service_tier: response.serviceTier,
    system_fingerprint: SYSTEM_FINGERPRINT,
    choices,
    ...usage,
  };
}

function partOf(response: ChatPayload, { index }: ChatChoice, delta: JsonObject): object {
  const said = typeof delta.content === 'string' && delta.content !== '';

  return {
    index,
    delta,
    logprobs: said ? logprobsOf(response, [String(delta.content)]) : null,
    finish_reason: null,
  };
}

function deltasOf(choice: ChatChoice, legacy: boolean): JsonObject[] {
  const { calls, tokens, audio } = choice;
  const head = { role: 'assistant', refusal: null };

  if (audio !== null) {
    return [
      { ...head, audio: { id: audio.id, transcript: '' } },
      ...tokens.map((transcript) => ({ audio: { transcript } })),
      { audio: { data: audio.base64 } },
      { audio: { expires_at: audio.expiresAt } },
    ];
  }
  if (calls.length === 0) return [{ ...head, content: '' }, ...tokens.map((content) => ({ content }))];

  const [first = {}, ...rest] = legacy ? functionDeltas(choice) : calls.flatMap(callDeltas);

  return [{ ...head, content: null, ...first }, ...rest];
}

function callDeltas({ id, kind, name, tokens }: ChatChoice['calls'][number], index: number): JsonObject[] {
  const field = kind === 'custom' ? 'input' : 'arguments';

  return [
    { tool_calls: [{ index, id, type: kind, [kind]: { name, [field]: '' } }] },
    ...tokens.map((token) => ({ tool_calls: [{ index, [kind]: { [field]: token } }] })),
  ];
}

function functionDeltas({ calls }: ChatChoice): JsonObject[] {
  return calls
    .slice(0, 1)
    .flatMap(({ name, tokens }) => [
      { function_call: { name, arguments: '' } },
      ...tokens.map((token) => ({ function_call: { arguments: token } })),
    ]);
}
