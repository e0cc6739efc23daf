import { isJsonObject } from '../wire/json-object.js';
import { sampleFromSchema } from './schema-sample.js';
import { tokensOf } from './tokens.js';
import { lastUserText, type Turn } from './turn.js';

const SEARCHED_CHARACTERS_MAX = 20_000;
const INPUT_LENGTH = 160;

export interface SimulatedTool {
  readonly name: string;
  /** A `function` takes a JSON object, and a `custom` tool takes free text. The vendor defines `client` and `server` tools. */
  readonly kind: 'function' | 'custom' | 'client' | 'server';
  readonly parameters?: unknown;
  readonly group?: string;
}

export interface SimulatedCall {
  readonly tool: SimulatedTool;
  /** The joined tokens are the arguments as JSON, or the custom input. */
  readonly tokens: readonly string[];
}

interface ToolsAsked {
  readonly turns: readonly Turn[];
  readonly tools: readonly SimulatedTool[];
  readonly mustCall: boolean;
  readonly parallel: boolean;
}

/**
 * Chooses the tools to call. After a user message, these are all tools that it names, or otherwise the client's first
 * tool. The response to a tool result is text, unless the request demands a call.
 */
export function toolsToCall({ turns, tools, mustCall, parallel }: ToolsAsked): readonly SimulatedTool[] {
  const last = turns.findLast((turn) => turn.role !== 'system' && turn.role !== 'developer');

  if (last?.role !== 'user' && !mustCall) return [];

  const words = new Set(
    lastUserText(turns)
      .slice(0, SEARCHED_CHARACTERS_MAX)
      .match(/[\p{L}\p{N}_-]+/gu),
  );
  const named = tools.filter((tool) => words.has(tool.name));

  if (named.length > 0) return parallel ? named : named.slice(0, 1);

  const own = tools.find((tool) => tool.kind === 'function' || tool.kind === 'custom');
  const first = own ?? (mustCall ? tools[0] : undefined);

  return first === undefined ? [] : [first];
}

export function callOf(tool: SimulatedTool, turns: readonly Turn[]): SimulatedCall {
  const text = lastUserText(turns);

  switch (tool.kind) {
    case 'function': {
      const sampled = sampleFromSchema(tool.parameters, text);

      return { tool, tokens: tokensOf(JSON.stringify(isJsonObject(sampled) ? sampled : {})) };
    }
    case 'custom':
      return { tool, tokens: tokensOf(text.slice(0, INPUT_LENGTH).toWellFormed() || 'sandbox') };
    case 'client':
    case 'server':
      return { tool, tokens: tokensOf(tool.name) };
    default:
      return tool.kind satisfies never;
  }
}
