import type { UsageKind } from '../../../costs/usage-kinds.data.js';
import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { GENERATED_IMAGE_TOKENS_MAX } from './media-tokens.data.js';
import { countIn } from './requested-output.rules.js';

/** A tool that the provider runs, and bills by call. */
interface HostedTool {
  /** The beginning of its `type`. Vendors add dates and versions. */
  readonly type: string;
  readonly kind: UsageKind | null;
  readonly inputTokens: number;
}

const HOSTED_TOOLS: readonly HostedTool[] = [
  { type: 'web_search', kind: 'web_searches', inputTokens: 8000 },
  { type: 'x_search', kind: 'web_searches', inputTokens: 8000 },
  { type: 'web_fetch', kind: null, inputTokens: 8000 },
  // Up to 20 results of 800 tokens.
  { type: 'file_search', kind: 'file_searches', inputTokens: 16_000 },
  { type: 'code_interpreter', kind: 'code_executions', inputTokens: 1000 },
  { type: 'code_execution', kind: 'code_executions', inputTokens: 1000 },
  { type: 'image_generation', kind: 'images', inputTokens: 1000 },
];

/** Calls of each tool, if the request states no maximum. */
const CALLS_ASSUMED = 3;
const CALLS_MAX = 128;

interface HostedCalls {
  readonly units: Partial<Record<UsageKind, number>>;
  readonly inputTokens: number;
}

/** The calls of tools that the provider runs, and the tokens of their results. Takes linear time in the number of tools. */
export function hostedCalls(endpoint: string, json: JsonObject, level: 'typical' | 'full'): HostedCalls {
  const units: Partial<Record<UsageKind, number>> = {};
  let inputTokens = 0;
  const add = (type: string, calls: number): void => {
    const tool = HOSTED_TOOLS.find((row) => type.startsWith(row.type));
    if (tool === undefined) return;
    inputTokens += tool.inputTokens * calls;
    if (tool.kind !== null) units[tool.kind] = (units[tool.kind] ?? 0) + calls;
    if (tool.kind === 'images') units.image_output = (units.image_output ?? 0) + GENERATED_IMAGE_TOKENS_MAX * calls;
  };
  const { tools, web_search_options: search } = json;
  for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
    if (!isObject(tool) || typeof tool['type'] !== 'string') continue;
    const max = callsMax(endpoint, json, tool);
    add(tool['type'], level === 'full' ? (max ?? CALLS_ASSUMED) : Math.min(max ?? CALLS_ASSUMED, CALLS_ASSUMED));
  }
  if (isObject(search)) add('web_search', 1);
  return { units, inputTokens };
}

/** As with the maximum output, only the field of the endpoint's own format counts. */
const callsMax = (endpoint: string, json: JsonObject, tool: JsonObject): number | null =>
  countIn(endpoint === '/v1/messages' ? tool['max_uses'] : json['max_tool_calls'], 0, CALLS_MAX);
