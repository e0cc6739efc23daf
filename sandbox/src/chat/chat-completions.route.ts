import { pageOf } from '../memory/page.js';
import { requireModel } from '../models/require-model.js';
import { CONTEXT_TOKENS } from '../simulation/context-window.js';
import { jsonAnswer, type JsonAnswer, type SandboxAnswer } from '../wire/answer.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, parseJsonObject } from '../wire/json-object.js';
import { contextExceeded } from '../wire/vendor-error.js';
import { answerChat } from './chat-answer.js';
import { chatChunks } from './chat-chunks.js';
import { chatCompletion } from './chat-completion.js';
import { readChatRequest } from './chat-request.js';

export const CHAT_COMPLETIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/chat/completions', handle: createChatCompletion },
  { method: 'GET', path: '/v1/chat/completions', handle: listChatCompletions },
  { method: 'GET', path: '/v1/chat/completions/{completion}', handle: retrieveChatCompletion },
  { method: 'POST', path: '/v1/chat/completions/{completion}', handle: modifyChatCompletion },
  { method: 'DELETE', path: '/v1/chat/completions/{completion}', handle: deleteChatCompletion },
  { method: 'GET', path: '/v1/chat/completions/{completion}/messages', handle: listStoredMessages },
];

const KIND = 'chatCompletion';

/** `POST /v1/chat/completions`, buffered or streamed. With `store`, the completion can be read later. */
function createChatCompletion({ body, fingerprint, memory }: SandboxRequest): SandboxAnswer {
  const asked = parseJsonObject(body);
  const request = readChatRequest(asked);

  requireModel(request.model, 'v1/chat/completions', ['chat', 'ocr']);

  const answer = answerChat(request, fingerprint);

  if (answer.usage.prompt_tokens > CONTEXT_TOKENS) throw contextExceeded(answer.usage.prompt_tokens, 'messages');
  if (asked.store === true) {
    const object = { ...chatCompletion(answer), metadata: objectOr(asked.metadata, {}) };

    memory.objects.put(KIND, { id: answer.id, parent: '', object, bytes: Buffer.from(JSON.stringify(asked.messages)) });
  }
  if (request.stream) return { kind: 'events', frames: chatChunks(answer, request.includeUsage) };
  return jsonAnswer(chatCompletion(answer));
}

function listChatCompletions({ query, memory }: SandboxRequest): JsonAnswer {
  const model = query.get('model');
  const objects = memory.objects.all(KIND).map(({ object }) => object);

  return jsonAnswer(
    pageOf(
      objects.filter((object) => model === null || object.model === model),
      query,
    ),
  );
}

function retrieveChatCompletion({ params, memory }: SandboxRequest): JsonAnswer {
  return jsonAnswer(memory.objects.get(KIND, params.completion ?? '').object);
}

function modifyChatCompletion({ params, body, memory }: SandboxRequest): JsonAnswer {
  const stored = memory.objects.get(KIND, params.completion ?? '');
  const { metadata } = parseJsonObject(body);

  return jsonAnswer(memory.objects.change(KIND, stored, { metadata: objectOr(metadata, {}) }).object);
}

function deleteChatCompletion({ params, memory }: SandboxRequest): JsonAnswer {
  const { id } = memory.objects.get(KIND, params.completion ?? '');

  memory.objects.delete(KIND, id);
  return jsonAnswer({ id, object: 'chat.completion.deleted', deleted: true });
}

function listStoredMessages({ params, query, memory }: SandboxRequest): JsonAnswer {
  const { id, bytes } = memory.objects.get(KIND, params.completion ?? '');
  const messages: unknown = JSON.parse((bytes ?? '[]').toString());
  const listed = arrayOr(messages)
    .filter(isJsonObject)
    .map((message, index) => ({ ...message, id: `${id}-${index}` }));

  return jsonAnswer(pageOf(listed, query));
}
