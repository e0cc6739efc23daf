import type { Asked, SimulatedTool } from '../simulation/simulate.js';
import type { Turn } from '../simulation/turn.js';
import { arrayOr, objectOr, optionalCount, optionalString, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidValue } from '../wire/vendor-error.js';
import { readResponseInput } from './response-input.js';

/** What the sandbox looks at in a request for a response, and what the response repeats of it. */
export interface ResponseRequest extends Asked {
  readonly model: string;
  /** Of this request alone, without instructions. */
  readonly input: readonly Turn[];
  readonly previousId: string | null;
  readonly toolsJson: string;
  readonly store: boolean;
  readonly stream: boolean;
  /** Members that the vendor writes into the response as they were asked for, or as they are by default. */
  readonly echoed: JsonObject;
}

/** @param turnsBefore of the response that `previous_response_id` names, by that id */
export function readResponseRequest(
  body: JsonObject,
  turnsBefore: (previousId: string) => readonly Turn[],
): ResponseRequest {
  const model = requiredString(body, 'model');
  const instructions = optionalString(body, 'instructions');
  const previousId = optionalString(body, 'previous_response_id');
  const input = readResponseInput(body.input);
  const before = previousId === null ? [] : turnsBefore(previousId);
  const system = instructions === null ? [] : [{ role: 'system', text: instructions, attachments: 0, toolCalls: '' }];
  const tools = readTools(body.tools);
  const format = objectOr(objectOr(body.text, {}).format ?? body.response_format, { type: 'text' });

  return {
    model,
    input,
    turns: [...system, ...before, ...input],
    previousId,
    tools,
    toolsJson: tools.length > 0 ? JSON.stringify(body.tools) : '',
    toolChoice: readToolChoice(body.tool_choice, tools),
    format: readFormat(format),
    stop: [],
    tokensMax: optionalCount(body, 'max_output_tokens'),
    store: body.store !== false,
    stream: body.stream === true,
    echoed: echoedOf(body, format),
  };
}

function echoedOf(body: JsonObject, format: JsonObject): JsonObject {
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null, ...objectOr(body.reasoning, {}) },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format, verbosity: 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: arrayOr(body.tools),
    top_logprobs: 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
    metadata: objectOr(body.metadata, {}),
  };
}

/** Functions alone, flat as this vendor writes them here, or wrapped as in chat. */
function readTools(value: unknown): SimulatedTool[] {
  return arrayOr(value)
    .filter(isJsonObject)
    .filter((tool) => tool.type === 'function')
    .flatMap((tool) => {
      const { name, parameters } = objectOr(tool.function, tool);

      return typeof name === 'string' ? [{ name, parameters }] : [];
    });
}

function readToolChoice(value: unknown, tools: readonly SimulatedTool[]): Asked['toolChoice'] {
  if (value === 'none') return 'none';
  if (!isJsonObject(value) || value.type !== 'function') return 'auto';

  const { name } = objectOr(value.function, value);

  if (typeof name === 'string' && tools.some((tool) => tool.name === name)) return { name };
  throw invalidValue('tool_choice', `'${String(name)}' is not among the tools`);
}

function readFormat(format: JsonObject): Asked['format'] {
  if (format.type === 'json_object') return 'json';
  if (format.type !== 'json_schema') return 'text';
  return { schema: format.schema ?? objectOr(format.json_schema, {}).schema };
}
