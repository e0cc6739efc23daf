import { upstreamError } from '../../platform/errors/error-factories.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';

export interface ChatPayload extends JsonObject {
  readonly choices: readonly unknown[];
}

interface TextChoice {
  readonly text: string;
  readonly index: number;
  readonly logprobs: null;
  readonly finish_reason: unknown;
}

export interface TextCompletion extends JsonObject {
  readonly choices: readonly TextChoice[];
}

export const isChatPayload = (value: unknown): value is ChatPayload =>
  isObject(value) && Array.isArray(value['choices']);

/** Converts a chat completion or a chunk (D10). `usage` and other fields stay. */
export function textCompletion(payload: ChatPayload): TextCompletion {
  const choices = payload.choices.map((choice, at) => textChoice(isObject(choice) ? choice : {}, at));
  return { ...payload, id: completionId(payload['id']), object: 'text_completion', choices };
}

const TEXT = '{"text":"';

/** Returns the prompt as JSON text without its quotes, for `completionPieces`. */
export const echoOf = (prompt: string): Buffer => Buffer.from(JSON.stringify(prompt).slice(1, -1));

/** @throws GatewayError `upstream_error` for a value that is nested too deeply for the stack */
export function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw upstreamError('The upstream response is nested too deeply to convert. Use POST /v1/chat/completions.', {
      cause: error,
    });
  }
}

/** All choices share the memory of `echo`. A copy of megabytes in each of a thousand choices would take gigabytes. */
export function completionPieces(completion: TextCompletion, echo: Buffer): readonly Buffer[] {
  if (echo.length === 0) return [Buffer.from(jsonOf(completion))];
  const { choices, ...rest } = completion;
  const pieces: Buffer[] = [Buffer.from(`${jsonOf(rest).slice(0, -1)},"choices":[`)];
  for (const choice of choices) {
    const comma = pieces.length === 1 ? '' : ',';
    pieces.push(Buffer.from(comma + TEXT), echo, Buffer.from(jsonOf(choice).slice(TEXT.length)));
  }
  pieces.push(Buffer.from(']}'));
  return pieces;
}

function textChoice({ index, message, delta, finish_reason: reason }: JsonObject, at: number): TextChoice {
  const source = message ?? delta;
  return {
    text: isObject(source) ? textOf(source['content']) : '',
    index: typeof index === 'number' ? index : at,
    logprobs: null,
    finish_reason: reason ?? null,
  };
}

/** Some providers send a list of parts. Parts without text, such as audio, are dropped. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

const CHAT_ID = /^chatcmpl-/;

const completionId = (id: unknown): unknown => (typeof id === 'string' ? `cmpl-${id.replace(CHAT_ID, '')}` : id);
