import { replyText } from './reply-text.js';
import { sampleFromSchema } from './schema-sample.js';
import { tokensOf } from './tokens.js';
import { callOf, type SimulatedCall, type SimulatedTool, toolsToCall } from './tools.js';
import { lastUserText, type Turn } from './turn.js';

/** The request fields that the simulation uses for every vendor. Other fields affect only IDs. */
export interface Asked {
  readonly turns: readonly Turn[];
  /** Empty if the request forbids calls. */
  readonly tools: readonly SimulatedTool[];
  readonly mustCall: boolean;
  /** A response can contain several calls. */
  readonly parallel: boolean;
  readonly format: 'text' | 'json' | { readonly schema: unknown };
  readonly stop: readonly string[];
  readonly tokensMax: number | null;
}

export interface Told {
  /** Empty for a text response. */
  readonly calls: readonly SimulatedCall[];
  /** The joined tokens are the whole text. Empty if tool calls end the response. */
  readonly tokens: readonly string[];
  readonly tokenCount: number;
  readonly cut: boolean;
  /** The stop sequence that ended the text, or null. */
  readonly stoppedAt: string | null;
}

/** @param index index of the choice; each choice gets another text */
export function simulate(asked: Asked, index = 0): Told {
  const { calls, used, cut } = callsWithinLimit(asked);
  const done = cut || calls.some(({ tool }) => tool.kind !== 'server');

  if (calls.length > 0 && done) return { calls, tokens: [], tokenCount: used, cut, stoppedAt: null };

  const { text, stoppedAt } = cutAtStop(contentOf(asked, index), asked.stop);
  const limited = withinLimit(tokensOf(text), asked.tokensMax === null ? null : asked.tokensMax - used);

  return { calls, tokenCount: used + limited.tokens.length, stoppedAt: limited.cut ? null : stoppedAt, ...limited };
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

function callsWithinLimit(asked: Asked): { calls: SimulatedCall[]; used: number; cut: boolean } {
  const calls: SimulatedCall[] = [];
  let used = 0;

  for (const tool of toolsToCall(asked)) {
    const left = asked.tokensMax === null ? null : asked.tokensMax - used;
    const { tokens, cut } = withinLimit(callOf(tool, asked.turns).tokens, left);

    if (tokens.length > 0) calls.push({ tool, tokens });
    used += tokens.length;
    if (cut) return { calls, used, cut };
  }
  return { calls, used, cut: false };
}

function contentOf({ format, turns }: Asked, index: number): string {
  if (format === 'text') return replyText(turns, index);
  if (format === 'json') return JSON.stringify({ sandbox: true, message: replyText(turns, index) });
  return JSON.stringify(sampleFromSchema(format.schema, lastUserText(turns)));
}
