import { countTokens } from './tokens.js';

const TOKENS_PER_TURN = 4;
const TOKENS_PER_REPLY = 3;
const TOKENS_PER_ATTACHMENT = 85;
/** The vendor caches prompts from this length on, in steps. */
const CACHED_TOKENS_MIN = 1024;
const CACHED_TOKENS_STEP = 128;

/** One message of a conversation, whatever the vendor. */
export interface Turn {
  /** A tool result has the role `tool`. */
  readonly role: string;
  /** The text parts of its content, joined. */
  readonly text: string;
  /** Images, audio and files among its parts. */
  readonly attachments: number;
  /** The calls that an assistant made earlier, as JSON; empty without any. */
  readonly toolCalls: string;
}

export function textTurn(role: string, text: string): Turn {
  return { role, text, attachments: 0, toolCalls: '' };
}

/** @param toolsJson the offered tools, which are part of the prompt; empty without any */
export function promptTokens(turns: readonly Turn[], toolsJson: string): number {
  return turns.reduce((sum, turn) => sum + turnTokens(turn), TOKENS_PER_REPLY + countTokens(toolsJson));
}

/**
 * The prompt tokens that the vendor would read from its prompt cache: those before the last assistant message, in steps
 * of 128 from 1,024 on. No clock and no memory are involved, so that the same request gets the same bytes.
 */
export function cachedTokens(turns: readonly Turn[], toolsJson: string): number {
  const last = turns.findLastIndex((turn) => turn.role === 'assistant');
  const before = last < 0 ? 0 : promptTokens(turns.slice(0, last), toolsJson);

  return before < CACHED_TOKENS_MIN ? 0 : before - (before % CACHED_TOKENS_STEP);
}

export function lastUserText(turns: readonly Turn[]): string {
  return turns.findLast((turn) => turn.role === 'user')?.text ?? '';
}

export function turnTokens({ text, toolCalls, attachments }: Turn): number {
  return TOKENS_PER_TURN + countTokens(text) + countTokens(toolCalls) + attachments * TOKENS_PER_ATTACHMENT;
}
