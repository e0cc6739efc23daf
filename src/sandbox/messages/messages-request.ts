import { readStop } from '../chat/chat-request.js';
import type { Asked, SimulatedTool } from '../simulation/simulate.js';
import type { Turn } from '../simulation/turn.js';
import { arrayOr, optionalCount, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';

/** What the sandbox looks at in a request of the messages vendor. */
export interface MessagesRequest extends Asked {
  readonly model: string;
  readonly tokensMax: number;
  /** Answer with a thinking block first. */
  readonly thinking: boolean;
  readonly toolsJson: string;
  readonly stream: boolean;
}

export function readMessagesRequest(body: JsonObject): MessagesRequest {
  const model = requiredString(body, 'model');
  const tokensMax = optionalCount(body, 'max_tokens');

  if (tokensMax === null) throw missingParameter('max_tokens');

  const tools = readTools(body.tools);
  const system = textOf(body.system);
  const turns = readTurns(body.messages);

  return {
    model,
    tokensMax,
    turns: system === '' ? turns : [{ role: 'system', text: system, attachments: 0, toolCalls: '' }, ...turns],
    tools,
    toolsJson: tools.length > 0 ? JSON.stringify(body.tools) : '',
    toolChoice: readToolChoice(body.tool_choice, tools),
    format: readFormat(body),
    stop: readStop(body.stop_sequences),
    thinking: isJsonObject(body.thinking) && body.thinking.type !== 'disabled',
    stream: body.stream === true,
  };
}

function readTurns(value: unknown): Turn[] {
  if (value === undefined || value === null) throw missingParameter('messages');
  if (!Array.isArray(value)) throw invalidType('messages', 'an array of objects');
  if (value.length === 0) throw invalidValue('messages', 'at least one message is required');
  return value.map((message: unknown, index) => {
    if (!isJsonObject(message)) throw invalidType(`messages.${index}`, 'an object');
    if (message.role !== 'user' && message.role !== 'assistant') {
      throw invalidValue(`messages.${index}.role`, `'user' or 'assistant'`);
    }
    return turnOf(message.role, message.content);
  });
}

/** `output_config.format`, or `output_format`, as it was called before. */
function readFormat({ output_config: config, output_format: before }: JsonObject): Asked['format'] {
  const format = isJsonObject(config) ? config.format : before;
  return isJsonObject(format) && format.type === 'json_schema' ? { schema: format.schema } : 'text';
}

/** What a tool gave back comes in a user's message here; the simulation has a turn of its own for it. */
function turnOf(role: string, content: unknown): Turn {
  const blocks = arrayOr(content).filter(isJsonObject);
  const results = blocks.filter((block) => block.type === 'tool_result');
  const calls = blocks.filter((block) => block.type === 'tool_use');
  const others = blocks.filter(
    (block) => !['text', 'tool_use', 'tool_result', 'thinking'].includes(String(block.type)),
  );
  const text = results.length > 0 ? results.map((result) => textOf(result.content)).join('\n') : textOf(content);

  return {
    role: results.length > 0 ? 'tool' : role,
    text,
    attachments: others.length,
    toolCalls: calls.length > 0 ? JSON.stringify(calls) : '',
  };
}

/** A text, or the text blocks of a content. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return arrayOr(content)
    .filter(isJsonObject)
    .map((block) => block.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** The client's own tools; those that the vendor runs itself have no schema and are never called. */
function readTools(value: unknown): SimulatedTool[] {
  return arrayOr(value)
    .filter(isJsonObject)
    .flatMap(({ name, input_schema }) =>
      typeof name === 'string' && isJsonObject(input_schema) ? [{ name, parameters: input_schema }] : [],
    );
}

function readToolChoice(value: unknown, tools: readonly SimulatedTool[]): Asked['toolChoice'] {
  if (!isJsonObject(value)) return 'auto';
  if (value.type === 'none') return 'none';
  if (value.type !== 'tool') return 'auto';

  const name = requiredString(value, 'name');

  if (tools.some((tool) => tool.name === name)) return { name };
  throw invalidValue('tool_choice', `Tool '${name}' not found in provided tools`);
}
