import { countTokens } from './tokens.js';

const TOKENS_PER_TURN = 4;
const TOKENS_PER_REPLY = 3;
const TOKENS_PER_ATTACHMENT = 85;
/** The vendor caches prompts of at least this length. */
const CACHED_TOKENS_MIN = 1024;
const CACHED_TOKENS_STEP = 128;

export interface Turn {
  /** `tool` for a tool result. */
  readonly role: string;
  readonly text: string;
  readonly attachments: number;
  /** Earlier tool calls of an assistant as JSON, or empty. */
  readonly toolCalls: string;
}

export function textTurn(role: string, text: string): Turn {
  return { role, text, attachments: 0, toolCalls: '' };
}

/** @param toolsJson the offered tools, which count as prompt; empty without tools */
export function promptTokens(turns: readonly Turn[], toolsJson: string): number {
  return turns.reduce((sum, turn) => sum + turnTokens(turn), TOKENS_PER_REPLY + countTokens(toolsJson));
}

/**
 * Returns the prompt tokens that the vendor would read from its cache: those before the last assistant message, in
 * steps of 128 from 1,024. The result depends only on the request, so that equal requests get equal bytes.
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
