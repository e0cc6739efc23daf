import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject } from '../../platform/validation/check.js';

/** Longer names are cut. */
const NAME_LENGTH_MAX = 2_000;

/** The client's own name for what the provider should cache. Requests with the same one belong to the same account. */
export const promptCacheKey = (json: JsonObject | null): string | null => textOf(json?.['prompt_cache_key']);

/**
 * Returns a text that all requests of a conversation have in common, from its first turn on, or null. The client's own name for the
 * conversation is best. Otherwise the text is a hash of the first question: the first user message without what agents add to it.
 * @param json the parsed request body
 * @param headers the headers of the client's request
 */
export function conversationKey(json: JsonObject | null, headers: IncomingHttpHeaders = {}): string | null {
  if (json === null) return null;
  const name = nameIn(json, headers);
  if (name !== null) return `name ${name.slice(0, NAME_LENGTH_MAX)}`;
  const question = questionIn(json);
  return question.length === 0 ? null : `text ${digestOf(question)}`;
}

/** Claude Code, Codex, OpenCode and others name their session in one of these. */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'x-session-id',
  'x-session-affinity',
  'x-opencode-session',
  'conversation_id',
  'thread-id',
] as const;

function nameIn(json: JsonObject, headers: IncomingHttpHeaders): string | null {
  const { metadata, conversation } = json;
  const cacheKey = promptCacheKey(json);
  if (cacheKey !== null) return cacheKey;
  for (const header of SESSION_HEADERS) {
    const value = textOf(headers[header]);
    if (value !== null) return value;
  }
  const inMetadata = isObject(metadata) ? (textOf(metadata['session_id']) ?? textOf(metadata['user_id'])) : null;
  const conversationId = textOf(isObject(conversation) ? conversation['id'] : conversation);
  return conversationId ?? textOf(json['session_id']) ?? inMetadata;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns the parts of the first question, without empty ones. Conversations with the same question have the same parts. */
function questionIn(json: JsonObject): readonly string[] {
  const turns = json['messages'] ?? json['input'] ?? json['contents'];
  if (turns === undefined || turns === null) return promptIn(json['prompt']);
  if (typeof turns === 'string') return [turns];
  if (!Array.isArray(turns)) return [];
  const asked = turns.filter((turn) => isObject(turn) && turn['role'] === 'user') as readonly JsonObject[];
  for (const message of asked) {
    const question = partsOf(message, withoutContext);
    if (question.length > 0) return question;
  }
  const [first] = asked.length > 0 ? asked : turns.filter((turn) => !isInstruction(turn));
  return first === undefined ? [] : partsOf(first, (text) => text);
}

/** A prompt is a text, several texts, or token IDs. Token IDs do not show where the first question ends. */
function promptIn(prompt: unknown): readonly string[] {
  const first: unknown = Array.isArray(prompt) && typeof prompt[0] === 'string' ? prompt[0] : prompt;
  if (typeof first === 'string') return [beforeAnswer(first)];
  return Array.isArray(first) ? partsOf(first, (text) => text) : [];
}

const isInstruction = (turn: unknown): boolean =>
  isObject(turn) && (turn['role'] === 'system' || turn['role'] === 'developer');

/** The beginning of the first answer in the text of a completion, in the notations of common chat templates. */
const ANSWER =
  /\n(?:assistant|ai|bot):|<\|im_start\|>assistant|<\|start_header_id\|>assistant|\[\/INST\]|<start_of_turn>model/i;
const ANSWER_SEARCH_LENGTH_MAX = 1024 * 1024;

/** Each turn of a completion repeats the text of the turns before it. */
function beforeAnswer(prompt: string): string {
  const at = prompt.slice(0, ANSWER_SEARCH_LENGTH_MAX).search(ANSWER);
  return at > 0 ? prompt.slice(0, at) : prompt;
}

/** Tags in which coding agents put the date, the folder or instructions around the question. They are alike in many conversations. */
const CONTEXT_TAGS = [
  'environment_context',
  'environment_details',
  'environment_info',
  'workspace_info',
  'user_instructions',
  'INSTRUCTIONS',
  'system-reminder',
  'user_info',
  'project_layout',
  'ide_opened_file',
  'ide_selection',
] as const;
const AGENTS_FILE = /^# AGENTS\.md instructions[^\n]*$/;

function withoutContext(text: string): string {
  if (!text.includes('<')) return text.trim();
  let rest = text;
  for (const tag of CONTEXT_TAGS) rest = withoutTag(rest, tag);
  rest = rest.trim();
  return AGENTS_FILE.test(rest) ? '' : rest;
}

function withoutTag(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  let rest = '';
  let from = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, from)) {
    const end = text.indexOf(close, start);
    if (end === -1) break;
    rest += text.slice(from, start);
    from = end + close.length;
  }
  return rest + text.slice(from);
}

/** A larger message is read only in part. */
const VALUES_MAX = 50_000;
/** They change between turns: cache markers move, and a message that was text becomes a list of parts. */
const UNSTABLE: ReadonlySet<string> = new Set(['cache_control', 'type', 'role', 'id', 'status']);

/** Returns the texts of a message in their order. Without recursion, which overflows the stack for deep values. */
function partsOf(message: unknown, clean: (text: string) => string): string[] {
  const parts: string[] = [];
  const values: unknown[] = [message];
  let left = VALUES_MAX;
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value === 'string' || typeof value === 'number') {
      const part = clean(String(value));
      if (part !== '') parts.push(part);
    } else if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value) ? value.slice(0, left) : stableValuesOf(value as JsonObject, left);
      left -= inner.length;
      // Backwards, because the last pushed value is visited first.
      for (let i = inner.length - 1; i >= 0; i--) values.push(inner[i]);
    }
  }
  return parts;
}

function stableValuesOf(object: JsonObject, countMax: number): unknown[] {
  const names = Object.keys(object).slice(0, countMax);
  return names.filter((name) => !UNSTABLE.has(name)).map((name) => object[name]);
}

/** The beginning and the end of a longer question are hashed, because different questions can follow one long document. */
const HASHED_LENGTH_MAX = 512 * 1024;

function digestOf(parts: readonly string[]): string {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length <= HASHED_LENGTH_MAX) return hash('sha256', parts.join('\n'));
  const half = HASHED_LENGTH_MAX / 2;
  return hash('sha256', `${length}\n${beginningOf(parts, half)}\n${endOf(parts, half)}`);
}

function beginningOf(parts: readonly string[], lengthMax: number): string {
  let text = '';
  for (const part of parts) {
    text += part.slice(0, lengthMax - text.length);
    if (text.length === lengthMax) break;
  }
  return text;
}

function endOf(parts: readonly string[], lengthMax: number): string {
  const taken: string[] = [];
  let left = lengthMax;
  for (let i = parts.length - 1; i >= 0 && left > 0; i--) {
    const part = parts[i]!.slice(-left);
    taken.push(part);
    left -= part.length;
  }
  return taken.reverse().join('');
}
