import { requireModel } from '../models/require-model.js';
import { jsonAnswer, type SandboxAnswer } from '../wire/answer.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { answerChat } from './chat-answer.js';
import { chatChunks } from './chat-chunks.js';
import { chatCompletion } from './chat-completion.js';
import { readChatRequest } from './chat-request.js';

export const CHAT_COMPLETIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/chat/completions', handle: createChatCompletion },
];

/** `POST /v1/chat/completions`, buffered or streamed. 400 for a body it cannot read or a model of another kind. */
function createChatCompletion({ body, fingerprint }: SandboxRequest): SandboxAnswer {
  const request = readChatRequest(parseJsonObject(body));

  requireModel(request.model, 'v1/chat/completions', ['chat', 'ocr']);

  const answer = answerChat(request, fingerprint);

  if (request.stream) return { kind: 'events', frames: chatChunks(answer, request.includeUsage) };
  return jsonAnswer(chatCompletion(answer));
}
