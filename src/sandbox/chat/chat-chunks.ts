import { dataEvent, DONE_EVENT } from '../wire/event-stream.js';
import type { ChatAnswer, ChatChoice } from './chat-answer.js';
import { SYSTEM_FINGERPRINT } from './chat-completion.js';

/**
 * The answer as a stream of `chat.completion.chunk` events: the role first, then token by token, then the finish
 * reason, then the usage where it was asked for, then `[DONE]`. Several choices advance together, one frame a step.
 */
export function* chatChunks(answer: ChatAnswer, includeUsage: boolean): Generator<string> {
  // Asked for usage, the vendor writes the field into every chunk, null in all but the last.
  const usage = includeUsage ? { usage: null } : {};
  const frame = (choices: readonly ChatChoice[], deltaOf: (choice: ChatChoice) => object): string =>
    choices.map((choice) => dataEvent(chunk(answer, [partOf(choice, deltaOf(choice), null)], usage))).join('');
  const steps = Math.max(...answer.choices.map((choice) => choice.tokens.length));

  yield frame(answer.choices, firstDelta);
  for (let step = 0; step < steps; step += 1) {
    const running = answer.choices.filter((choice) => step < choice.tokens.length);

    yield frame(running, (choice) => tokenDelta(choice, choice.tokens[step] ?? ''));
  }
  yield answer.choices
    .map((choice) => dataEvent(chunk(answer, [partOf(choice, {}, choice.finishReason)], usage)))
    .join('');
  if (includeUsage) yield dataEvent(chunk(answer, [], { usage: answer.usage }));
  yield DONE_EVENT;
}

function chunk(answer: ChatAnswer, choices: readonly object[], usage: object): object {
  return {
    id: answer.id,
    object: 'chat.completion.chunk',
    created: answer.created,
    model: answer.model,
    service_tier: answer.serviceTier,
    system_fingerprint: SYSTEM_FINGERPRINT,
    choices,
    ...usage,
  };
}

function partOf(choice: ChatChoice, delta: object, finishReason: ChatChoice['finishReason'] | null): object {
  return { index: choice.index, delta, logprobs: null, finish_reason: finishReason };
}

function firstDelta({ call }: ChatChoice): object {
  if (call === null) return { role: 'assistant', content: '', refusal: null };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    refusal: null,
  };
}

function tokenDelta({ call }: ChatChoice, token: string): object {
  return call === null ? { content: token } : { tool_calls: [{ index: 0, function: { arguments: token } }] };
}
