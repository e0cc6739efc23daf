import { isObject, type JsonObject } from '../../validation/check.js';

/** A chat completion, or one chunk of a stream of it. */
export interface ChatAnswer extends JsonObject {
  readonly choices: readonly unknown[];
}

/** One choice of a text completion or of a chunk of it. */
interface TextChoice {
  readonly text: string;
  readonly index: number;
  readonly logprobs: null;
  readonly finish_reason: unknown;
}

export interface TextCompletion extends JsonObject {
  readonly choices: readonly TextChoice[];
}

export const isChatAnswer = (value: unknown): value is ChatAnswer => isObject(value) && Array.isArray(value['choices']);

/** A chat answer, whole or a chunk, as a text completion (D10); `usage` and whatever else it says stay. */
export function textCompletion(answer: ChatAnswer): TextCompletion {
  const choices = answer.choices.map((choice, at) => textChoice(isObject(choice) ? choice : {}, at));
  return { ...answer, id: completionId(answer['id']), object: 'text_completion', choices };
}

/** With which the JSON of a choice begins. */
const TEXT = '{"text":"';

/** What `completionPieces` puts before each text: a prompt as it stands within a JSON string. Empty: nothing. */
export const echoOf = (prompt: string): Buffer => Buffer.from(JSON.stringify(prompt).slice(1, -1));

/**
 * The JSON of a completion, `echo` before the text of each choice. It is the same memory each time: a prompt may have
 * megabytes, and the choices be a thousand.
 */
export function completionPieces(completion: TextCompletion, echo: Buffer): readonly Buffer[] {
  if (echo.length === 0) return [Buffer.from(JSON.stringify(completion))];
  const { choices, ...rest } = completion;
  const pieces: Buffer[] = [Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"choices":[`)];
  for (const choice of choices) {
    const comma = pieces.length === 1 ? '' : ',';
    pieces.push(Buffer.from(comma + TEXT), echo, Buffer.from(JSON.stringify(choice).slice(TEXT.length)));
  }
  pieces.push(Buffer.from(']}'));
  return pieces;
}

function textChoice({ index, message, delta, finish_reason: reason }: JsonObject, at: number): TextChoice {
  const said = message ?? delta;
  return {
    text: isObject(said) ? textOf(said['content']) : '',
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
