import { readStop } from '../chat/chat-request.js';
import type { Asked } from '../simulation/simulate.js';
import type { SimulatedTool } from '../simulation/tools.js';
import { textTurn, type Turn } from '../simulation/turn.js';
import { arrayOr, objectOr, optionalCount, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';
import { type CacheBreakpoint, readBreakpoints } from './prompt-cache.js';
import { vendorTool } from './vendor-tools.data.js';

export interface MessagesRequest extends Asked {
  readonly model: string;
  /** 0 fills the prompt cache without generating text. */
  readonly tokensMax: number;
  /** The response starts with a thinking block unless this is `none`. With `omitted`, the block has no text. */
  readonly thinking: 'none' | 'omitted' | 'shown';
  readonly toolsJson: string;
  readonly breakpoints: readonly CacheBreakpoint[];
  readonly stream: boolean;
}

const ROLES = ['user', 'assistant', 'system'];
/** Blocks of these types count as attachments unless they contain text. */
const ATTACHMENTS = ['image', 'document', 'search_result', 'container_upload'];

/**
 * @param countsOnly true for a body of `count_tokens`, which has no `max_tokens`
 * @throws VendorError 400 for a body that the vendor rejects
 */
export function readMessagesRequest(body: JsonObject, countsOnly = false): MessagesRequest {
  const model = requiredString(body, 'model');
  const tokensMax = countsOnly || body.max_tokens === 0 ? 0 : optionalCount(body, 'max_tokens');

  if (tokensMax === null) throw missingParameter('max_tokens');

  const offered = arrayOr(body.tools);
  const system = textOf(body.system);
  const messages = readTurns(body.messages);
  const turns = system === '' ? messages : [textTurn('system', system), ...messages];

  return {
    model,
    tokensMax,
    turns,
    ...readToolChoice(body.tool_choice, offered),
    toolsJson: offered.length > 0 ? JSON.stringify(offered) : '',
    breakpoints: readBreakpoints(body),
    format: readFormat(body),
    stop: readStop(body.stop_sequences),
    thinking: readThinking(body.thinking, turns),
    stream: body.stream === true,
  };
}

function readTurns(value: unknown): Turn[] {
  if (value === undefined || value === null) throw missingParameter('messages');
  if (!Array.isArray(value)) throw invalidType('messages', 'an array of objects');
  if (value.length === 0) throw invalidValue('messages', 'at least one message is required');
  return value.map((message: unknown, index) => {
    if (!isJsonObject(message)) throw invalidType(`messages.${index}`, 'an object');
    if (typeof message.role !== 'string' || !ROLES.includes(message.role)) {
      throw invalidValue(`messages.${index}.role`, `use 'user', 'assistant' or 'system'`);
    }
    return turnOf(message.role, message.content);
  });
}

/** `adaptive` always thinks in the sandbox. `between_tools` thinks after a tool result. */
function readThinking(value: unknown, turns: readonly Turn[]): MessagesRequest['thinking'] {
  const { type = 'disabled', display } = objectOr(value, {});

  if (type === 'disabled' || (type === 'between_tools' && turns.at(-1)?.role !== 'tool')) return 'none';
  return display === 'omitted' ? 'omitted' : 'shown';
}

/** Reads `output_config.format`, or the older `output_format`. */
function readFormat({ output_config: config, output_format: before }: JsonObject): Asked['format'] {
  const format = objectOr(config, {}).format ?? before;

  return isJsonObject(format) && format.type === 'json_schema' ? { schema: format.schema } : 'text';
}

/** Anthropic's API sends tool results in user messages. The simulation gives them their own role. */
function turnOf(role: string, content: unknown): Turn {
  const blocks = arrayOr(content).filter(isJsonObject);
  const results = blocks.filter((block) => block.type === 'tool_result');
  const calls = blocks.filter((block) => String(block.type).endsWith('tool_use'));
  const attached = blocks.filter((block) => ATTACHMENTS.includes(String(block.type)));
  const texts = attached.map(attachedText).filter((text) => text !== '');
  const said = results.length > 0 ? results.map((result) => textOf(result.content)).join('\n') : textOf(content);

  return {
    role: results.length > 0 ? 'tool' : role,
    text: [said, ...texts].filter((text) => text !== '').join('\n'),
    attachments: attached.length - texts.length,
    toolCalls: calls.length > 0 ? JSON.stringify(calls) : '',
  };
}

function attachedText({ source, content }: JsonObject): string {
  const { type, data, content: inner } = objectOr(source, {});

  if (type === 'text' && typeof data === 'string') return data;
  return textOf(inner ?? content);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return arrayOr(content)
    .filter(isJsonObject)
    .map((block) => block.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** @throws VendorError 400 if `tool_choice` names a tool that the request does not list */
function readToolChoice(value: unknown, offered: readonly unknown[]): Pick<Asked, 'tools' | 'mustCall' | 'parallel'> {
  const choice = objectOr(value, {});
  const parallel = choice.disable_parallel_tool_use !== true;
  const tools = offered.filter(isJsonObject).flatMap(toolOf);

  if (choice.type === 'none') return { tools: [], mustCall: false, parallel };
  if (choice.type !== 'tool') return { tools, mustCall: choice.type === 'any', parallel };

  const name = requiredString(choice, 'name');
  const named = tools.filter((tool) => tool.name === name || tool.group === name);

  if (named.length > 0) return { tools: named, mustCall: true, parallel: false };
  if (offered.some((tool) => isJsonObject(tool) && tool.name === name)) return { tools, mustCall: false, parallel };
  throw invalidValue('tool_choice', `the request has no tool named '${name}'`);
}

function toolOf({ type, name, input_schema: schema }: JsonObject): SimulatedTool[] {
  if (typeof name === 'string' && isJsonObject(schema)) return [{ name, kind: 'function', parameters: schema }];

  const tool = vendorTool(String(type), name);

  return tool === undefined ? [] : [tool];
}
