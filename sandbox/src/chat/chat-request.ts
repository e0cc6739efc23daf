import { SOUND_FORMATS, type SoundFormat } from '../audio/sound.js';
import type { Asked } from '../simulation/simulate.js';
import type { Turn } from '../simulation/turn.js';
import { arrayOr, objectOr, optionalCount, requiredString } from '../wire/fields.js';
import { type JsonObject, isJsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';
import { readChatTools } from './chat-tools.js';

/** The fields of a chat request that the sandbox reads. Other fields affect only the IDs in the response. */
export interface ChatRequest extends Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly choices: number;
  /** The tools as JSON, which count as part of the prompt. Empty without tools. */
  readonly toolsJson: string;
  readonly serviceTier: string;
  readonly legacy: boolean;
  readonly reasoningEffort: unknown;
  /** The format of a spoken response, or null for text. */
  readonly audio: SoundFormat | null;
  /** The number of alternatives per token, or null if the response has no log probabilities. */
  readonly topLogprobs: number | null;
}

const CHOICES_MAX = 128;

/** @throws VendorError 400 for a body that the vendor rejects */
export function readChatRequest(body: JsonObject): ChatRequest {
  const model = requiredString(body, 'model');
  const stream = body.stream === true;
  const options = body.stream_options;

  if (isJsonObject(options) && !stream) throw invalidValue('stream_options', 'it is only allowed when stream is true');

  const chosen = readChatTools(body);
  const offered = [...arrayOr(body.tools), ...arrayOr(body.functions)];
  const tier = body.service_tier;

  return {
    model,
    turns: readMessages(body.messages),
    stream,
    includeUsage: isJsonObject(options) && options.include_usage === true,
    tokensMax: optionalCount(body, 'max_completion_tokens') ?? optionalCount(body, 'max_tokens'),
    choices: optionalCount(body, 'n', CHOICES_MAX) ?? 1,
    stop: readStop(body.stop),
    ...chosen,
    parallel: body.parallel_tool_calls !== false && !chosen.legacy,
    toolsJson: offered.length > 0 ? JSON.stringify(offered) : '',
    format: readFormat(body.response_format),
    serviceTier: typeof tier === 'string' && tier !== 'auto' ? tier : 'default',
    reasoningEffort: body.reasoning_effort ?? objectOr(body.reasoning, {}).effort,
    audio: arrayOr(body.modalities).includes('audio') ? readAudioFormat(body.audio) : null,
    topLogprobs: body.logprobs === true ? Number(body.top_logprobs ?? 0) : null,
  };
}

export function readStop(value: unknown): string[] {
  return [value].flat().filter((stop) => typeof stop === 'string' && stop !== '') as string[];
}

function readMessages(value: unknown): Turn[] {
  if (value === undefined || value === null) throw missingParameter('messages');
  if (!Array.isArray(value)) throw invalidType('messages', 'an array of objects');
  if (value.length === 0) throw invalidValue('messages', 'at least one message is required');
  return value.map((message: unknown, index) => {
    if (!isJsonObject(message)) throw invalidType(`messages[${index}]`, 'an object');
    if (typeof message.role !== 'string') throw missingParameter(`messages[${index}].role`);

    return {
      role: message.role === 'function' ? 'tool' : message.role,
      ...readContent(message.content),
      toolCalls: jsonOf(message.tool_calls ?? message.function_call),
    };
  });
}

function readContent(content: unknown): { text: string; attachments: number } {
  if (typeof content === 'string') return { text: content, attachments: 0 };
  if (!Array.isArray(content)) return { text: '', attachments: 0 };

  const texts = content.filter(isJsonObject).map((part) => part.text ?? part.refusal);
  const strings = texts.filter((text) => typeof text === 'string');

  return { text: strings.join('\n'), attachments: content.length - strings.length };
}

function readFormat(value: unknown): ChatRequest['format'] {
  if (!isJsonObject(value)) return 'text';
  if (value.type === 'json_object') return 'json';
  if (value.type !== 'json_schema') return 'text';
  return { schema: isJsonObject(value.json_schema) ? value.json_schema.schema : undefined };
}

/** @throws VendorError 400 without `audio`, which spoken responses require */
function readAudioFormat(value: unknown): SoundFormat {
  if (!isJsonObject(value)) throw missingParameter('audio');

  const wanted = value.format === 'pcm16' ? 'pcm' : value.format;
  const format = SOUND_FORMATS.find((known) => known === wanted);

  if (format === undefined) throw invalidValue('audio.format', 'use one of wav, aac, mp3, flac, opus, pcm16');
  return format;
}

function jsonOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
