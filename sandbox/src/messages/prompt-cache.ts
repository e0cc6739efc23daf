import { turnTokens, type Turn } from '../simulation/turn.js';
import { countTokens } from '../simulation/tokens.js';
import { arrayOr } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';

/** A mark of the client: the prompt up to here is to be cached. */
export interface CacheBreakpoint {
  /** The turns before it, its own among them; 0 after the tools. */
  readonly turns: number;
  readonly hour: boolean;
}

/** How the tokens of a prompt are billed; they sum to the prompt. */
export interface PromptTokens {
  readonly uncached: number;
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
}

/** The breakpoints of a body in the order of the prompt: tools, system, messages. */
export function readBreakpoints(body: JsonObject): CacheBreakpoint[] {
  const system = systemTurns(body);
  const groups = [arrayOr(body.tools), ...(system === 0 ? [] : [arrayOr(body.system)]), ...contentsOf(body.messages)];
  const last = groups.length - 1;

  return groups.flatMap((blocks, turns) => {
    const marks = blocks.filter(isJsonObject).map((block) => block.cache_control);

    // At the top of the body, it marks the end of the prompt.
    return [...marks, ...(turns === last ? [body.cache_control] : [])]
      .filter(isJsonObject)
      .map((mark) => ({ turns, hour: mark.ttl === '1h' }));
  });
}

/**
 * How a prompt with breakpoints is billed. A new conversation writes to the cache up to the last breakpoint. One that
 * has an assistant message reads up to the first breakpoint. So the same request always gets the same usage.
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
