import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { objectNotFound } from '../wire/vendor-error.js';
import type { Thread } from './thread.js';
import { type MessageDraft, newMessage, readMessage, type ThreadMessage } from './thread-message.js';

export const THREADS_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/threads', handle: listThreads },
  { method: 'POST', path: '/v1/threads', handle: createThread },
  { method: 'GET', path: '/v1/threads/{thread}', handle: retrieveThread },
  { method: 'POST', path: '/v1/threads/{thread}', handle: modifyThread },
  { method: 'DELETE', path: '/v1/threads/{thread}', handle: deleteThread },
  { method: 'GET', path: '/v1/threads/{thread}/messages', handle: listThreadMessages },
  { method: 'POST', path: '/v1/threads/{thread}/messages', handle: createThreadMessage },
  { method: 'GET', path: '/v1/threads/{thread}/messages/{message}', handle: retrieveThreadMessage },
  { method: 'POST', path: '/v1/threads/{thread}/messages/{message}', handle: modifyThreadMessage },
  { method: 'DELETE', path: '/v1/threads/{thread}/messages/{message}', handle: deleteThreadMessage },
];

const ENTRY_BYTES = 1_000;

function createThread({ body, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(newThread(memory, body.length === 0 ? {} : parseJsonObject(body)));
}

export function newThread(memory: SandboxMemory, asked: JsonObject): Thread {
  const drafts = arrayOr(asked.messages).map((message, index) => readMessage(message, `messages[${index}].`));
  const thread = memory.threads.create(JSON.stringify(asked).length + ENTRY_BYTES, (id, createdAt): Thread => ({
    id,
    object: 'thread',
    created_at: createdAt,
    tool_resources: objectOr(asked.tool_resources, {}),
    metadata: objectOr(asked.metadata, {}),
  }));

  for (const draft of drafts) addMessage(memory, thread.id, draft);
  return thread;
}

function modifyThread({ params, body, memory }: SandboxRequest): JsonResponse {
  const thread = keptThread(memory, params.thread ?? '');
  const asked = parseJsonObject(body);
  const changed = {
    ...thread,
    metadata: objectOr(asked.metadata, thread.metadata),
    tool_resources: objectOr(asked.tool_resources, thread.tool_resources),
  };

  return jsonResponse(memory.threads.put(changed, JSON.stringify(changed).length));
}

function listThreads({ query, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(pageOf(memory.threads.all(), query));
}

function retrieveThread({ params, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(keptThread(memory, params.thread ?? ''));
}

function deleteThread({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = keptThread(memory, params.thread ?? '');

  for (const message of messagesOf(memory, id)) memory.threadMessages.delete(message.id);
  for (const run of memory.runs.all()) if (run.threadId === id) memory.runs.delete(run.id);
  memory.threads.delete(id);
  return jsonResponse({ id, object: 'thread.deleted', deleted: true });
}

function createThreadMessage({ params, body, memory }: SandboxRequest): JsonResponse {
  const { id } = keptThread(memory, params.thread ?? '');

  return jsonResponse(addMessage(memory, id, readMessage(parseJsonObject(body))));
}

function listThreadMessages({ params, query, memory }: SandboxRequest): JsonResponse {
  const { id } = keptThread(memory, params.thread ?? '');
  const runId = query.get('run_id');
  const messages = messagesOf(memory, id).filter((message) => runId === null || message.run_id === runId);

  return jsonResponse(pageOf(messages, query));
}

function retrieveThreadMessage(request: SandboxRequest): JsonResponse {
  return jsonResponse(keptMessage(request));
}

function modifyThreadMessage(request: SandboxRequest): JsonResponse {
  const message = keptMessage(request);
  const changed = { ...message, metadata: objectOr(parseJsonObject(request.body).metadata, message.metadata) };

  return jsonResponse(request.memory.threadMessages.put(changed, JSON.stringify(changed).length));
}

function deleteThreadMessage(request: SandboxRequest): JsonResponse {
  const { id } = keptMessage(request);

  request.memory.threadMessages.delete(id);
  return jsonResponse({ id, object: 'thread.message.deleted', deleted: true });
}

function keptMessage({ params, memory }: SandboxRequest): ThreadMessage {
  const { id } = keptThread(memory, params.thread ?? '');
  const message = memory.threadMessages.get(params.message ?? '');

  if (message?.thread_id !== id) throw objectNotFound('message', params.message ?? '');
  return message;
}

export function keptThread(memory: SandboxMemory, id: string): Thread {
  const thread = memory.threads.get(id);

  if (thread === undefined) throw objectNotFound('thread', id);
  return thread;
}

export function messagesOf(memory: SandboxMemory, threadId: string): ThreadMessage[] {
  return memory.threadMessages.all().filter((message) => message.thread_id === threadId);
}

export function addMessage(memory: SandboxMemory, threadId: string, draft: MessageDraft): ThreadMessage {
  return memory.threadMessages.create(JSON.stringify(draft).length + ENTRY_BYTES, (id, createdAt) =>
    newMessage(id, createdAt, threadId, draft),
  );
}
