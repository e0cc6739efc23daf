import { isJsonObject } from '../wire/json-object.js';
import { replyText } from './reply-text.js';
import { sampleFromSchema } from './schema-sample.js';
import { tokensOf } from './tokens.js';
import { lastUserText, type Turn } from './turn.js';

export interface SimulatedTool {
  readonly name: string;
  /** JSON schema of the arguments. */
  readonly parameters: unknown;
}

/** What the simulation looks at in a request of any vendor; everything else changes nothing but ids. */
export interface Asked {
  readonly turns: readonly Turn[];
  readonly tools: readonly SimulatedTool[];
  /** A tool's name, or how the sandbox may choose. */
  readonly toolChoice: 'none' | 'auto' | { readonly name: string };
  readonly format: 'text' | 'json' | { readonly schema: unknown };
  readonly stop: readonly string[];
  /** Null: no limit. */
  readonly tokensMax: number | null;
}

export interface Told {
  /** The tool that is called, whose arguments the tokens are; null for text. */
  readonly tool: string | null;
  /** They join to the whole text, or to the arguments as JSON. */
  readonly tokens: readonly string[];
  /** The limit cut it. */
  readonly cut: boolean;
  /** The stop sequence before which it ended; null for none. */
  readonly stoppedAt: string | null;
}

/** @param index of the choice, where several are asked: they differ */
export function simulate(asked: Asked, index = 0): Told {
  const tool = chooseTool(asked);

  if (tool !== undefined) {
    const sampled = sampleFromSchema(tool.parameters, lastUserText(asked.turns));
    const tokens = tokensOf(JSON.stringify(isJsonObject(sampled) ? sampled : {}));

    return { tool: tool.name, stoppedAt: null, ...withinLimit(tokens, asked.tokensMax) };
  }

  const { text, stoppedAt } = cutAtStop(contentOf(asked, index), asked.stop);
  const limited = withinLimit(tokensOf(text), asked.tokensMax);

  return { tool: null, stoppedAt: limited.cut ? null : stoppedAt, ...limited };
}

export function withinLimit(tokens: readonly string[], tokensMax: number | null): Pick<Told, 'tokens' | 'cut'> {
  if (tokensMax === null || tokens.length <= tokensMax) return { tokens, cut: false };
  return { tokens: tokens.slice(0, tokensMax), cut: true };
}

export function cutAtStop(text: string, stops: readonly string[]): { text: string; stoppedAt: string | null } {
  let end = text.length;
  let stoppedAt: string | null = null;

  for (const stop of stops) {
    const at = text.indexOf(stop);

    if (at >= 0 && at < end) {
      end = at;
      stoppedAt = stop;
    }
  }
  return { text: text.slice(0, end), stoppedAt };
}

/** A tool is called once for what the user said; what the tool gave back is answered with text. */
function chooseTool({ turns, tools, toolChoice }: Asked): SimulatedTool | undefined {
  if (toolChoice === 'none' || turns.at(-1)?.role !== 'user') return undefined;
  return toolChoice === 'auto' ? tools[0] : tools.find((tool) => tool.name === toolChoice.name);
}

function contentOf({ format, turns }: Asked, index: number): string {
  if (format === 'text') return replyText(turns, index);
  if (format === 'json') return JSON.stringify({ sandbox: true, message: replyText(turns, index) });
  return JSON.stringify(sampleFromSchema(format.schema, lastUserText(turns)));
}
