import { pageOf } from '../memory/page.js';
import { requireModel } from '../models/require-model.js';
import { CONTEXT_TOKENS } from '../simulation/context-window.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, parseJsonObject } from '../wire/json-object.js';
import { contextExceeded } from '../wire/vendor-error.js';
import { respondToChat } from './chat-response.js';
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

function createChatCompletion({ body, fingerprint, memory }: SandboxRequest): SandboxResponse {
  const asked = parseJsonObject(body);
  const request = readChatRequest(asked);

  requireModel(request.model, 'v1/chat/completions', ['chat', 'ocr']);

  const response = respondToChat(request, fingerprint);

  if (response.usage.prompt_tokens > CONTEXT_TOKENS) throw contextExceeded(response.usage.prompt_tokens, 'messages');
  if (asked.store === true) {
    const object = { ...chatCompletion(response), metadata: objectOr(asked.metadata, {}) };

    memory.objects.put(KIND, {
      id: response.id,
      parent: '',
      object,
      bytes: Buffer.from(JSON.stringify(asked.messages)),
    });
  }
  if (request.stream) return { kind: 'events', frames: chatChunks(response, request.includeUsage) };
  return jsonResponse(chatCompletion(response));
}

function listChatCompletions({ query, memory }: SandboxRequest): JsonResponse {
  const model = query.get('model');
  const objects = memory.objects.all(KIND).map(({ object }) => object);

  return jsonResponse(
    pageOf(
      objects.filter((object) => model === null || object.model === model),
      query,
    ),
  );
}

function retrieveChatCompletion({ params, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(memory.objects.get(KIND, params.completion ?? '').object);
}

function modifyChatCompletion({ params, body, memory }: SandboxRequest): JsonResponse {
  const stored = memory.objects.get(KIND, params.completion ?? '');
  const { metadata } = parseJsonObject(body);

  return jsonResponse(memory.objects.change(KIND, stored, { metadata: objectOr(metadata, {}) }).object);
}

function deleteChatCompletion({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = memory.objects.get(KIND, params.completion ?? '');

  memory.objects.delete(KIND, id);
  return jsonResponse({ id, object: 'chat.completion.deleted', deleted: true });
}

function listStoredMessages({ params, query, memory }: SandboxRequest): JsonResponse {
  const { id, bytes } = memory.objects.get(KIND, params.completion ?? '');
  const messages: unknown = JSON.parse((bytes ?? '[]').toString());
  const listed = arrayOr(messages)
    .filter(isJsonObject)
    .map((message, index) => ({ ...message, id: `${id}-${index}` }));

  return jsonResponse(pageOf(listed, query));
}
