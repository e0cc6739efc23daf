import { findModel } from '../models.data.js';
import { requireModel } from '../models/require-model.js';
import { jsonResponse, type SandboxResponse } from '../wire/response.js';
import { dataEvent, DONE_EVENT } from '../wire/event-stream.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { respondToCompletion, type CompletionResponse } from './completion-response.js';
import { readCompletionRequest } from './completion-request.js';

export const COMPLETIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/completions', handle: createCompletion },
];

const CHAT_ONLY_OWNERS: ReadonlySet<string> = new Set(['openai', 'anthropic', 'google']);

/** Base models complete text, and so do models that others than their makers can run. */
function createCompletion({ body, fingerprint }: SandboxRequest): SandboxResponse {
  const request = readCompletionRequest(parseJsonObject(body));

  const owner = findModel(request.model)?.owned_by ?? '';
  const isChatOnly = CHAT_ONLY_OWNERS.has(owner);

  requireModel(request.model, 'v1/completions', isChatOnly ? ['base'] : ['base', 'chat']);

  const response = respondToCompletion(request, fingerprint);

  if (request.stream) return { kind: 'events', frames: chunksOf(response, request.includeUsage) };

  const choices = response.choices.map(({ index, pieces, finishReason }) => part(index, pieces.join(''), finishReason));

  return jsonResponse({ ...headOf(response), choices, usage: response.usage });
}

/** Streams all choices in parallel, one token each. The finish reasons follow, then the usage if requested. */
function* chunksOf(response: CompletionResponse, includeUsage: boolean): Generator<string> {
  const usage = includeUsage ? { usage: null } : {};
  const frame = (choice: object): string => dataEvent({ ...headOf(response), choices: [choice], ...usage });
  const steps = Math.max(...response.choices.map(({ pieces }) => pieces.length));

  for (let step = 0; step < steps; step += 1) {
    const running = response.choices.filter(({ pieces }) => step < pieces.length);

    yield running.map(({ index, pieces }) => frame(part(index, pieces[step] ?? '', null))).join('');
  }
  yield response.choices.map(({ index, finishReason }) => frame(part(index, '', finishReason))).join('');
  if (includeUsage) yield dataEvent({ ...headOf(response), choices: [], usage: response.usage });
  yield DONE_EVENT;
}

function headOf({ id, created, model }: CompletionResponse): object {
  return { id, object: 'text_completion', created, model };
}

function part(index: number, text: string, finishReason: 'stop' | 'length' | null): object {
  return { text, index, logprobs: null, finish_reason: finishReason };
}
