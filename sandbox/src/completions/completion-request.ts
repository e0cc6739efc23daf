import { readStop } from '../chat/chat-request.js';
import { optionalCount, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue } from '../wire/vendor-error.js';

const TOKENS_DEFAULT = 16;
const CHOICES_MAX = 128;
const PROMPTS_MAX = 128;

export interface CompletionRequest {
  readonly model: string;
  /** Contains at least one prompt. Token IDs are joined to text. */
  readonly prompts: readonly string[];
  readonly choicesPerPrompt: number;
  readonly echo: boolean;
  readonly tokensMax: number;
  readonly stop: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

export function readCompletionRequest(body: JsonObject): CompletionRequest {
  return {
    model: requiredString(body, 'model'),
    prompts: readPrompts(body.prompt),
    choicesPerPrompt: optionalCount(body, 'n', CHOICES_MAX) ?? 1,
    echo: body.echo === true,
    tokensMax: optionalCount(body, 'max_tokens') ?? TOKENS_DEFAULT,
    stop: readStop(body.stop),
    stream: body.stream === true,
    includeUsage: isJsonObject(body.stream_options) && body.stream_options.include_usage === true,
  };
}

function readPrompts(value: unknown): string[] {
  if (value === undefined || value === null) return [''];
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) throw invalidType('prompt', 'a string or an array');
  if (value.length === 0) throw invalidValue('prompt', 'at least one prompt is required');
  if (value.every((token) => typeof token === 'number')) return [value.join(' ')];
  if (value.length > PROMPTS_MAX) throw invalidValue('prompt', `it can have at most ${PROMPTS_MAX} prompts`);
  return value.map((prompt: unknown, index) => {
    if (typeof prompt === 'string') return prompt;
    if (Array.isArray(prompt)) return prompt.join(' ');
    throw invalidType(`prompt[${index}]`, 'a string or an array of integers');
  });
}
