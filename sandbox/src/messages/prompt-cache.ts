import { turnTokens, type Turn } from '../simulation/turn.js';
import { countTokens } from '../simulation/tokens.js';
import { arrayOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';

/** A cache breakpoint: the client wants the prompt up to here to be cached. */
export interface CacheBreakpoint {
  /** The number of turns before the breakpoint, including its own. It is 0 for a breakpoint in the tools. */
  readonly turns: number;
  readonly hour: boolean;
}

/** The tokens of a prompt, split by price. */
export interface PromptTokens {
  readonly uncached: number;
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
}

export function readBreakpoints(body: JsonObject): CacheBreakpoint[] {
  const system = systemTurns(body);
  const groups = [arrayOr(body.tools), ...(system === 0 ? [] : [arrayOr(body.system)]), ...contentsOf(body.messages)];
  const last = groups.length - 1;

  return groups.flatMap((blocks, turns) => {
    const marks = blocks.filter(isJsonObject).map((block) => block.cache_control);

    // A top-level `cache_control` marks the end of the prompt.
    return [...marks, ...(turns === last ? [body.cache_control] : [])]
      .filter(isJsonObject)
      .map((mark) => ({ turns, hour: mark.ttl === '1h' }));
  });
}

/**
 * Computes how a prompt with breakpoints is billed. A new conversation writes the cache up to the last breakpoint. A
 * conversation with an assistant message also reads it up to the first breakpoint. Usage depends only on the request.
 */
export function billedTokens(
  total: number,
  turns: readonly Turn[],
  toolsJson: string,
  breakpoints: readonly CacheBreakpoint[],
): PromptTokens {
  const [first] = breakpoints;
  const last = breakpoints.at(-1);

  if (first === undefined || last === undefined) return { uncached: total, read: 0, written5m: 0, written1h: 0 };

  const prefix = (count: number): number =>
    turns.slice(0, count).reduce((sum, turn) => sum + turnTokens(turn), countTokens(toolsJson));
  const read = turns.some((turn) => turn.role === 'assistant') ? prefix(first.turns) : 0;
  const written = prefix(last.turns) - read;

  return {
    uncached: total - read - written,
    read,
    written5m: last.hour ? 0 : written,
    written1h: last.hour ? written : 0,
  };
}

function systemTurns({ system }: JsonObject): 0 | 1 {
  return system === undefined ||
    system === null ||
    system === '' ||
    (arrayOr(system).length === 0 && typeof system !== 'string')
    ? 0
    : 1;
}

function contentsOf(messages: unknown): (readonly unknown[])[] {
  return arrayOr(messages).map((message) => (isJsonObject(message) ? arrayOr(message.content) : []));
}
