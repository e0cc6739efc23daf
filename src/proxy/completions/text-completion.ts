import { isObject, type JsonObject } from '../../validation/check.js';

/** A chat completion, or one chunk of a stream of it. */
export interface ChatAnswer extends JsonObject {
  readonly choices: readonly unknown[];
}

/** One choice of a text completion or of a chunk of it. */
export interface TextChoice {
  readonly text: string;
  readonly index: number;
  readonly logprobs: null;
  readonly finish_reason: unknown;
}

export interface TextCompletion extends JsonObject {
  readonly choices: readonly TextChoice[];
}

export const isChatAnswer = (value: unknown): value is ChatAnswer => isObject(value) && Array.isArray(value['choices']);

/**
 * A chat answer, whole or a chunk, as a text completion (D10); `usage` and whatever else it says stay.
 * @param before put before the text of every choice
 */
export function textCompletion(answer: ChatAnswer, before = ''): TextCompletion {
  const choices = answer.choices.map((choice, at) => textChoice(isObject(choice) ? choice : {}, at, before));
  return { ...answer, id: completionId(answer['id']), object: 'text_completion', choices };
}

function textChoice(
  { index, message, delta, finish_reason: reason }: JsonObject,
  at: number,
  before: string,
): TextChoice {
  const said = message ?? delta;
  return {
    text: before + (isObject(said) ? textOf(said['content']) : ''),
    index: typeof index === 'number' ? index : at,
    logprobs: null,
    finish_reason: reason ?? null,
  };
}

/** Some providers give a list of parts, as in requests; what is no text (reasoning, audio) has no place in a completion. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

const CHAT_ID = /^chatcmpl-/;

const completionId = (id: unknown): unknown => (typeof id === 'string' ? `cmpl-${id.replace(CHAT_ID, '')}` : id);
