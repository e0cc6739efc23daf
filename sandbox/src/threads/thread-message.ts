import type { Turn } from '../simulation/turn.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';

export interface ThreadMessage {
  readonly id: string;
  readonly object: 'thread.message';
  readonly created_at: number;
  readonly thread_id: string;
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
  /** null for a message from a person. */
  readonly assistant_id: string | null;
  readonly run_id: string | null;
  readonly metadata: JsonObject;
  readonly [field: string]: unknown;
}

export type MessageDraft = Pick<ThreadMessage, 'role' | 'content' | 'assistant_id' | 'run_id' | 'metadata'> & {
  readonly attachments: readonly unknown[];
};

/** @param at prefix of the field names in errors, such as `messages[0].`; empty for the body itself */
export function readMessage(asked: unknown, at = ''): MessageDraft {
  if (!isJsonObject(asked)) throw invalidType(at.slice(0, -1), 'an object');
  if (asked.role !== 'user' && asked.role !== 'assistant') {
    throw asked.role === undefined
      ? missingParameter(`${at}role`)
      : invalidValue(`${at}role`, "use 'user' or 'assistant'");
  }
  return {
    role: asked.role,
    content: readContent(asked.content, `${at}content`),
    assistant_id: null,
    run_id: null,
    metadata: objectOr(asked.metadata, {}),
    attachments: arrayOr(asked.attachments),
  };
}

export function newMessage(id: string, createdAt: number, threadId: string, draft: MessageDraft): ThreadMessage {
  return {
    id,
    object: 'thread.message',
    created_at: createdAt,
    thread_id: threadId,
    status: 'completed',
    incomplete_details: null,
    completed_at: createdAt,
    incomplete_at: null,
    ...draft,
  };
}

export function textContent(value: string): JsonObject {
  return { type: 'text', text: { value, annotations: [] } };
}

export function turnOf({ role, content }: ThreadMessage): Turn {
  const texts = content.map((part) => objectOr(part.text, {}).value).filter((value) => typeof value === 'string');

  return { role, text: texts.join('\n'), attachments: content.length - texts.length, toolCalls: '' };
}

function readContent(content: unknown, param: string): JsonObject[] {
  if (content === undefined || content === null) throw missingParameter(param);
  if (typeof content === 'string') return [textContent(content)];
  if (!Array.isArray(content)) throw invalidType(param, 'a string or an array');
  return content.map((part: unknown, index) => {
    if (!isJsonObject(part)) throw invalidType(`${param}[${index}]`, 'an object');
    return part.type === 'text' && typeof part.text === 'string' ? textContent(part.text) : part;
  });
}
