import { requireModel } from '../models/require-model.js';
import { jsonAnswer, type SandboxAnswer } from '../wire/answer.js';
import { dataEvent, DONE_EVENT } from '../wire/event-stream.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { answerCompletion, type CompletionAnswer } from './completion-answer.js';
import { readCompletionRequest } from './completion-request.js';

export const COMPLETIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/completions', handle: createCompletion },
];

/** `POST /v1/completions`, buffered or streamed. Only base models support it. */
function createCompletion({ body, fingerprint }: SandboxRequest): SandboxAnswer {
  const request = readCompletionRequest(parseJsonObject(body));

  requireModel(request.model, 'v1/completions', ['base']);

  const answer = answerCompletion(request, fingerprint);

  if (request.stream) return { kind: 'events', frames: chunksOf(answer, request.includeUsage) };

  const choices = answer.choices.map(({ index, pieces, finishReason }) => part(index, pieces.join(''), finishReason));

  return jsonAnswer({ ...headOf(answer), choices, usage: answer.usage });
}

/** Streams all choices in parallel, one token each. The finish reasons follow, then the usage if requested. */
function* chunksOf(answer: CompletionAnswer, includeUsage: boolean): Generator<string> {
  const usage = includeUsage ? { usage: null } : {};
  const frame = (choice: object): string => dataEvent({ ...headOf(answer), choices: [choice], ...usage });
  const steps = Math.max(...answer.choices.map(({ pieces }) => pieces.length));

  for (let step = 0; step < steps; step += 1) {
    const running = answer.choices.filter(({ pieces }) => step < pieces.length);

    yield running.map(({ index, pieces }) => frame(part(index, pieces[step] ?? '', null))).join('');
  }
  yield answer.choices.map(({ index, finishReason }) => frame(part(index, '', finishReason))).join('');
  if (includeUsage) yield dataEvent({ ...headOf(answer), choices: [], usage: answer.usage });
  yield DONE_EVENT;
}

function headOf({ id, created, model }: CompletionAnswer): object {
  return { id, object: 'text_completion', created, model };
}

function part(index: number, text: string, finishReason: 'stop' | 'length' | null): object {
  return { text, index, logprobs: null, finish_reason: finishReason };
}
