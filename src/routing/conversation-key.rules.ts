import { isObject, type JsonObject } from '../validation/check.js';

/** Longer texts share their beginning with other turns of the same conversation. */
const TEXT_LENGTH_MAX = 2_000;

/**
 * Returns a text that all requests of a conversation share, or null. The caller's own name for the conversation is best.
 * Otherwise it is the beginning: the instructions and the first two messages, which later turns repeat.
 */
export function conversationKey(json: JsonObject | null): string | null {
  if (json === null) return null;
  const name = json['prompt_cache_key'] ?? idOf(json['conversation']) ?? sessionOf(json['metadata']);
  if (typeof name === 'string' && name !== '') return `name ${name.slice(0, TEXT_LENGTH_MAX)}`;
  const messages = json['messages'] ?? json['input'] ?? json['prompt'];
  const opening = Array.isArray(messages) ? messages.slice(0, 2) : messages;
  const parts = [json['system'], json['instructions'], opening].filter((part) => part !== undefined && part !== null);
  return parts.length === 0 ? null : `text ${parts.map(beginning).join('\n')}`;
}

const idOf = (conversation: unknown): unknown => (isObject(conversation) ? conversation.id : conversation);

/** Claude Code puts its session into the user ID. */
const sessionOf = (metadata: unknown): unknown => (isObject(metadata) ? metadata.user_id : undefined);

const beginning = (part: unknown): string =>
  (typeof part === 'string' ? part : (JSON.stringify(part, shortened) ?? '')).slice(0, TEXT_LENGTH_MAX);

/** Images are long, and `JSON.stringify` would copy them. */
const shortened = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > TEXT_LENGTH_MAX ? value.slice(0, TEXT_LENGTH_MAX) : value;
