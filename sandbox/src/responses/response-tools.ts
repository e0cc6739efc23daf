import type { SimulatedTool } from '../simulation/tools.js';
import { arrayOr, objectOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidValue } from '../wire/vendor-error.js';
import { VENDOR_TOOLS } from './vendor-tools.data.js';

const VERSION = /_preview.*$|_\d{4}_.*$/;

interface ChosenTools {
  readonly tools: readonly SimulatedTool[];
  readonly mustCall: boolean;
}

/** Returns the tools of every known type, including those in namespaces. Unknown types are never called. */
export function readResponseTools(value: unknown): SimulatedTool[] {
  return arrayOr(value)
    .filter(isJsonObject)
    .flatMap((tool) => (tool.type === 'namespace' ? nestedTools(tool) : toolsOf(tool)));
}

/** @throws VendorError 400 for a function or custom tool that the request does not list */
export function readResponseToolChoice(value: unknown, tools: readonly SimulatedTool[]): ChosenTools {
  if (value === 'none') return { tools: [], mustCall: false };
  if (!isJsonObject(value)) return { tools, mustCall: value === 'required' };
  if (value.type === 'allowed_tools') {
    const allowed = arrayOr(value.tools).filter(isJsonObject);

    return {
      tools: tools.filter((tool) => allowed.some((choice) => isChosen(tool, choice))),
      mustCall: value.mode === 'required',
    };
  }

  const chosen = tools.filter((tool) => isChosen(tool, value));

  if (chosen.length > 0) return { tools: chosen.slice(0, 1), mustCall: true };
  if (value.type !== 'function' && value.type !== 'custom') return { tools, mustCall: false };
  throw invalidValue('tool_choice', `the request has no tool named '${String(nameOf(value))}'`);
}

function isChosen(tool: SimulatedTool, choice: JsonObject): boolean {
  if (choice.type === 'function' || choice.type === 'custom') return tool.name === nameOf(choice);
  if (choice.type === 'namespace') return tool.group === nameOf(choice);
  if (choice.type === 'mcp') return tool.name === 'mcp' && tool.group === choice.server_label;
  return tool.name === vendorType(choice.type);
}

function nestedTools(namespace: JsonObject): SimulatedTool[] {
  const group = nameOf(namespace);

  return readResponseTools(namespace.tools).map((tool) => (typeof group === 'string' ? { ...tool, group } : tool));
}

function toolsOf(tool: JsonObject): SimulatedTool[] {
  const name = nameOf(tool);

  if (tool.type === 'function' || tool.type === 'custom') {
    const { parameters } = objectOr(tool.function, tool);

    return typeof name === 'string' ? [{ name, kind: tool.type, parameters }] : [];
  }

  const type = vendorType(tool.type);
  const known = VENDOR_TOOLS[type];

  if (known === undefined) return [];

  const kind = tool.execution === 'client' ? 'client' : known.kind;

  return [{ name: type, kind, ...(typeof tool.server_label === 'string' ? { group: tool.server_label } : {}) }];
}

/** Also reads the wrapped form of chat completions. */
function nameOf(tool: JsonObject): unknown {
  return objectOr(tool.function, objectOr(tool.custom, tool)).name;
}

function vendorType(type: unknown): string {
  return String(type).replace(VERSION, '').replace('computer_use', 'computer');
}
