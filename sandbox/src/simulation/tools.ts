import { isJsonObject } from '../wire/json-object.js';
import { sampleFromSchema } from './schema-sample.js';
import { tokensOf } from './tokens.js';
import { lastUserText, type Turn } from './turn.js';

/** Words of the user's text in which the sandbox looks for tool names. */
const REQUEST_LENGTH_MAX = 20_000;
const INPUT_LENGTH = 160;

/** A tool that the simulation can call. */
export interface SimulatedTool {
  readonly name: string;
  /** A `function` takes a JSON object, a `custom` tool free text. The vendor defines the other two kinds and their runner. */
  readonly kind: 'function' | 'custom' | 'client' | 'server';
  /** JSON schema of a function's arguments. */
  readonly parameters?: unknown;
  /** The group of tools to which the tool belongs, if any. */
  readonly group?: string;
}

export interface SimulatedCall {
  readonly tool: SimulatedTool;
  /** The pieces of the arguments as JSON, or of the custom input. */
  readonly tokens: readonly string[];
}

interface ToolsAsked {
  readonly turns: readonly Turn[];
  readonly tools: readonly SimulatedTool[];
  readonly mustCall: boolean;
  readonly parallel: boolean;
}

/**
 * The tools that the simulation calls for a conversation. A user message calls every tool that it names, otherwise the
 * first tool of the client. A tool result is answered with text, unless the request demands a call.
 */
export function toolsToCall({ turns, tools, mustCall, parallel }: ToolsAsked): readonly SimulatedTool[] {
  const last = turns.findLast((turn) => turn.role !== 'system' && turn.role !== 'developer');

  if (last?.role !== 'user' && !mustCall) return [];

  const words = new Set(
    lastUserText(turns)
      .slice(0, REQUEST_LENGTH_MAX)
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
