import type { Asked, SimulatedTool } from '../simulation/simulate.js';
import type { Turn } from '../simulation/turn.js';
import { optionalCount, requiredString } from '../wire/fields.js';
import { type JsonObject, isJsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';

/** What the sandbox looks at in a chat request; everything else in it changes nothing but the ids of the answer. */
export interface ChatRequest extends Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** 1 to `CHOICES_MAX`. */
  readonly choices: number;
  /** What `tools` cost in the prompt is counted from it; empty without any. */
  readonly toolsJson: string;
  readonly serviceTier: string;
}

const CHOICES_MAX = 128;

/** Reads the body as the vendor would; refuses with the vendor's 400 what it could not answer. */
export function readChatRequest(body: JsonObject): ChatRequest {
  const model = requiredString(body, 'model');
  const stream = body.stream === true;
  const options = body.stream_options;

  if (isJsonObject(options) && !stream) throw invalidValue('stream_options', 'only allowed when stream is true');

  const tools = readTools(body.tools);
  const tier = body.service_tier;

  return {
    model,
    turns: readMessages(body.messages),
    stream,
    includeUsage: isJsonObject(options) && options.include_usage === true,
    tokensMax: optionalCount(body, 'max_completion_tokens') ?? optionalCount(body, 'max_tokens'),
    choices: optionalCount(body, 'n', CHOICES_MAX) ?? 1,
    stop: readStop(body.stop),
    tools,
    toolsJson: tools.length > 0 ? JSON.stringify(body.tools) : '',
    toolChoice: readToolChoice(body.tool_choice, tools),
    format: readFormat(body.response_format),
    serviceTier: typeof tier === 'string' && tier !== 'auto' ? tier : 'default',
  };
}

/** One sequence or several; what is no text or empty stops nothing. */
export function readStop(value: unknown): string[] {
  return [value].flat().filter((stop) => typeof stop === 'string' && stop !== '') as string[];
}

function readMessages(value: unknown): Turn[] {
  if (value === undefined || value === null) throw missingParameter('messages');
  if (!Array.isArray(value)) throw invalidType('messages', 'an array of objects');
  if (value.length === 0) throw invalidValue('messages', 'at least one message is needed');
  return value.map((message: unknown, index) => {
    if (!isJsonObject(message)) throw invalidType(`messages[${index}]`, 'an object');
    if (typeof message.role !== 'string') throw missingParameter(`messages[${index}].role`);

    return { role: message.role, ...readContent(message.content), toolCalls: jsonOf(message.tool_calls) };
  });
}

function readContent(content: unknown): { text: string; attachments: number } {
  if (typeof content === 'string') return { text: content, attachments: 0 };
  if (!Array.isArray(content)) return { text: '', attachments: 0 };

  const texts = content.filter(isJsonObject).map((part) => part.text);
  const strings = texts.filter((text) => typeof text === 'string');

  return { text: strings.join('\n'), attachments: content.length - strings.length };
}

function readTools(value: unknown): SimulatedTool[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((tool: unknown) => {
    const described = isJsonObject(tool) ? tool.function : undefined;

    if (!isJsonObject(described) || typeof described.name !== 'string') return [];
    return [{ name: described.name, parameters: described.parameters }];
  });
}

function readToolChoice(value: unknown, tools: readonly SimulatedTool[]): ChatRequest['toolChoice'] {
  if (value === 'none') return 'none';

  const named = isJsonObject(value) && isJsonObject(value.function) ? value.function.name : undefined;

  if (typeof named !== 'string') return 'auto';
  if (tools.some((tool) => tool.name === named)) return { name: named };
  throw invalidValue('tool_choice', `'${named}' is not among the tools`);
}

function readFormat(value: unknown): ChatRequest['format'] {
  if (!isJsonObject(value)) return 'text';
  if (value.type === 'json_object') return 'json';
  if (value.type !== 'json_schema') return 'text';
  return { schema: isJsonObject(value.json_schema) ? value.json_schema.schema : undefined };
}

function jsonOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
