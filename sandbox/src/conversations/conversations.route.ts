import { pageOf } from '../memory/page.js';
import type { StoredObject } from '../memory/stored-object.js';
import { completeItem, readInputItems } from '../responses/response-input.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { objectOr } from '../wire/fields.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { extendConversation } from './conversation.js';

const PATH = '/v1/conversations';
const ITEMS = `${PATH}/{conversation}/items`;

export const CONVERSATIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: PATH, handle: createConversation },
  { method: 'GET', path: `${PATH}/{conversation}`, handle: (request) => jsonResponse(kept(request).object) },
  { method: 'POST', path: `${PATH}/{conversation}`, handle: modifyConversation },
  { method: 'DELETE', path: `${PATH}/{conversation}`, handle: deleteConversation },
  { method: 'GET', path: ITEMS, handle: listItems },
  { method: 'POST', path: ITEMS, handle: createItems },
  { method: 'GET', path: `${ITEMS}/{item}`, handle: retrieveItem },
  { method: 'DELETE', path: `${ITEMS}/{item}`, handle: deleteItem },
];

function createConversation(request: SandboxRequest): JsonResponse {
  const { body, memory } = request;
  const asked = body.length === 0 ? {} : parseJsonObject(body);
  const { id, object } = memory.objects.create({ kind: 'conversation' }, (_id, createdAt) => ({
    object: 'conversation',
    created_at: createdAt,
    metadata: objectOr(asked.metadata, {}),
  }));

  extendConversation(memory, id, listed(asked.items));
  return jsonResponse(object);
}

function modifyConversation(request: SandboxRequest): JsonResponse {
  const metadata = objectOr(parseJsonObject(request.body).metadata, {});

  return jsonResponse(request.memory.objects.change('conversation', kept(request), { metadata }).object);
}

function deleteConversation(request: SandboxRequest): JsonResponse {
  const { id } = kept(request);
  const { objects } = request.memory;

  for (const item of objects.all('conversationItem', id)) objects.delete('conversationItem', item.id);
  objects.delete('conversation', id);
  return jsonResponse({ id, object: 'conversation.deleted', deleted: true });
}

function listItems(request: SandboxRequest): JsonResponse {
  const items = request.memory.objects.all('conversationItem', kept(request).id).map(({ object }) => object);

  return jsonResponse(pageOf(items, request.query));
}

function createItems(request: SandboxRequest): JsonResponse {
  const items = listed(parseJsonObject(request.body).items);
  const data = extendConversation(request.memory, kept(request).id, items);

  return jsonResponse({
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: false,
  });
}

function retrieveItem(request: SandboxRequest): JsonResponse {
  const { id } = kept(request);

  return jsonResponse(request.memory.objects.get('conversationItem', request.params.item ?? '', id).object);
}

function deleteItem(request: SandboxRequest): JsonResponse {
  const conversation = kept(request);
  const { objects } = request.memory;

  objects.delete('conversationItem', objects.get('conversationItem', request.params.item ?? '', conversation.id).id);
  return jsonResponse(conversation.object);
}

function listed(items: unknown): JsonObject[] {
  return readInputItems(items).map(completeItem);
}

function kept({ params, memory }: SandboxRequest): StoredObject {
  return memory.objects.get('conversation', params.conversation ?? '');
}
