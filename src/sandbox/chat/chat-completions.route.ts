import { findModel } from '../models.data.js';
import type { SandboxAnswer, SandboxRequest } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { modelNotFound } from '../wire/vendor-error.js';
import { answerChat } from './chat-answer.js';
import { chatChunks } from './chat-chunks.js';
import { chatCompletion } from './chat-completion.js';
import { readChatRequest } from './chat-request.js';

/** `POST /v1/chat/completions`, buffered or streamed. 400 for a body it cannot read, 404 for a model not in the list. */
export function createChatCompletion({ body, fingerprint }: SandboxRequest): SandboxAnswer {
  const request = readChatRequest(parseJsonObject(body));

  if (findModel(request.model) === undefined) throw modelNotFound(request.model);

  const answer = answerChat(request, fingerprint);

  if (request.stream) return { kind: 'events', frames: chatChunks(answer, request.includeUsage) };
  return { kind: 'json', status: 200, body: chatCompletion(answer) };
}
