import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { jsonAnswer, type JsonAnswer } from '../wire/answer.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { objectNotFound } from '../wire/vendor-error.js';
import type { Thread } from './thread.js';
import { type MessageDraft, newMessage, readMessage, type ThreadMessage } from './thread-message.js';

export const THREADS_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/threads', handle: listThreads },
  { method: 'POST', path: '/v1/threads', handle: createThread },
  { method: 'GET', path: '/v1/threads/{thread}', handle: retrieveThread },
  { method: 'DELETE', path: '/v1/threads/{thread}', handle: deleteThread },
  { method: 'GET', path: '/v1/threads/{thread}/messages', handle: listThreadMessages },
  { method: 'POST', path: '/v1/threads/{thread}/messages', handle: createThreadMessage },
  { method: 'GET', path: '/v1/threads/{thread}/messages/{message}', handle: retrieveThreadMessage },
];

const ENTRY_BYTES = 1_000;

/** `POST /v1/threads`, with its first messages or empty; the body may be left out. */
function createThread({ body, memory }: SandboxRequest): JsonAnswer {
  const asked = body.length === 0 ? {} : parseJsonObject(body);
  const drafts = arrayOr(asked.messages).map((message, index) => readMessage(message, `messages[${index}].`));
  const thread = memory.threads.create(body.length + ENTRY_BYTES, (id, createdAt): Thread => ({
    id,
    object: 'thread',
    created_at: createdAt,
    tool_resources: objectOr(asked.tool_resources, {}),
    metadata: objectOr(asked.metadata, {}),
  }));

  for (const draft of drafts) addMessage(memory, thread.id, draft);
  return jsonAnswer(thread);
}

function listThreads({ query, memory }: SandboxRequest): JsonAnswer {
  return jsonAnswer(pageOf(memory.threads.all(), query));
}

function retrieveThread({ params, memory }: SandboxRequest): JsonAnswer {
  return jsonAnswer(keptThread(memory, params.thread ?? ''));
}

/** With its messages and runs. */
function deleteThread({ params, memory }: SandboxRequest): JsonAnswer {
  const { id } = keptThread(memory, params.thread ?? '');

  for (const message of messagesOf(memory, id)) memory.threadMessages.delete(message.id);
  for (const run of memory.runs.all()) if (run.threadId === id) memory.runs.delete(run.id);
  memory.threads.delete(id);
  return jsonAnswer({ id, object: 'thread.deleted', deleted: true });
}

function createThreadMessage({ params, body, memory }: SandboxRequest): JsonAnswer {
  const { id } = keptThread(memory, params.thread ?? '');

  return jsonAnswer(addMessage(memory, id, readMessage(parseJsonObject(body))));
}

function listThreadMessages({ params, query, memory }: SandboxRequest): JsonAnswer {
  const { id } = keptThread(memory, params.thread ?? '');
  const runId = query.get('run_id');
  const messages = messagesOf(memory, id).filter((message) => runId === null || message.run_id === runId);

  return jsonAnswer(pageOf(messages, query));
}

function retrieveThreadMessage({ params, memory }: SandboxRequest): JsonAnswer {
  const { id } = keptThread(memory, params.thread ?? '');
  const message = memory.threadMessages.get(params.message ?? '');

  if (message?.thread_id !== id) throw objectNotFound('message', params.message ?? '');
  return jsonAnswer(message);
}

export function keptThread(memory: SandboxMemory, id: string): Thread {
  const thread = memory.threads.get(id);

  if (thread === undefined) throw objectNotFound('thread', id);
  return thread;
}

/** Oldest first. */
export function messagesOf(memory: SandboxMemory, threadId: string): ThreadMessage[] {
  return memory.threadMessages.all().filter((message) => message.thread_id === threadId);
}

export function addMessage(memory: SandboxMemory, threadId: string, draft: MessageDraft): ThreadMessage {
  return memory.threadMessages.create(JSON.stringify(draft).length + ENTRY_BYTES, (id, createdAt) =>
    newMessage(id, createdAt, threadId, draft),
  );
}
