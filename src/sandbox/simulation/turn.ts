import { countTokens } from './tokens.js';

const TOKENS_PER_TURN = 4;
const TOKENS_PER_REPLY = 3;
const TOKENS_PER_ATTACHMENT = 85;

/** One message of a conversation, whichever vendor's format it came in. */
export interface Turn {
  /** `user`, `assistant`, `tool` for what a tool gave back … */
  readonly role: string;
  /** The text parts of its content, joined. */
  readonly text: string;
  /** Images, audio and files among its parts. */
  readonly attachments: number;
  /** The calls an assistant made earlier, as JSON; empty without any. */
  readonly toolCalls: string;
}

/** @param toolsJson the tools on offer, which are part of the prompt; empty without any */
export function promptTokens(turns: readonly Turn[], toolsJson: string): number {
  const perTurn = turns.map(
    ({ text, toolCalls, attachments }) =>
      TOKENS_PER_TURN + countTokens(text) + countTokens(toolCalls) + attachments * TOKENS_PER_ATTACHMENT,
  );

  return perTurn.reduce((sum, tokens) => sum + tokens, TOKENS_PER_REPLY + countTokens(toolsJson));
}

export function lastUserText(turns: readonly Turn[]): string {
  return turns.findLast((turn) => turn.role === 'user')?.text ?? '';
}
