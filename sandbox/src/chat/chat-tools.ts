import type { SimulatedTool } from '../simulation/tools.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidValue } from '../wire/vendor-error.js';

interface ChatTools {
  readonly tools: readonly SimulatedTool[];
  readonly mustCall: boolean;
  /** The request uses `functions`, so the response uses `function_call`. */
  readonly legacy: boolean;
}

/** @throws VendorError 400 if the choice names an unknown tool */
export function readChatTools(body: JsonObject): ChatTools {
  const legacy = !Array.isArray(body.tools) && Array.isArray(body.functions);
  const tools = legacy ? arrayOr(body.functions).flatMap(functionOf) : arrayOr(body.tools).flatMap(toolOf);

  return { ...chosen(legacy ? body.function_call : body.tool_choice, tools), legacy };
}

function chosen(choice: unknown, tools: readonly SimulatedTool[]): Omit<ChatTools, 'legacy'> {
  if (choice === 'none') return { tools: [], mustCall: false };
  if (!isJsonObject(choice)) return { tools, mustCall: choice === 'required' || choice === 'any' };
  if (choice.type === 'allowed_tools') {
    const { mode, tools: allowed } = objectOr(choice.allowed_tools, {});
    const names = arrayOr(allowed).filter(isJsonObject).map(nameOf);

    return { tools: tools.filter(({ name }) => names.includes(name)), mustCall: mode === 'required' };
  }

  const name = nameOf(choice);

  if (typeof name !== 'string') return { tools, mustCall: false };

  const named = tools.filter((tool) => tool.name === name);

  if (named.length === 0) throw invalidValue('tool_choice', `the request has no tool named '${name}'`);
  return { tools: named.slice(0, 1), mustCall: true };
}

function toolOf(tool: unknown): SimulatedTool[] {
  if (!isJsonObject(tool)) return [];
  return isJsonObject(tool.custom)
    ? functionOf(tool.custom).map(({ name }) => ({ name, kind: 'custom' }))
    : functionOf(tool.function);
}

function functionOf(described: unknown): SimulatedTool[] {
  if (!isJsonObject(described) || typeof described.name !== 'string') return [];
  return [{ name: described.name, kind: 'function', parameters: described.parameters }];
}

function nameOf(choice: JsonObject): unknown {
  return objectOr(choice.function, objectOr(choice.custom, choice)).name;
}
