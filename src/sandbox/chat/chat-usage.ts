import { countTokens } from '../simulation/tokens.js';
import type { ChatRequest } from './chat-request.js';

const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_REPLY = 3;
const TOKENS_PER_ATTACHMENT = 85;

/** As the vendor writes it. */
export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: Readonly<Record<string, number>>;
  readonly completion_tokens_details: Readonly<Record<string, number>>;
}

/** The prompt is counted once, the tokens of every choice. */
export function chatUsage(request: ChatRequest, choices: readonly { tokens: readonly string[] }[]): ChatUsage {
  const prompt = promptTokens(request);
  const completion = choices.reduce((sum, choice) => sum + choice.tokens.length, 0);

  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function promptTokens({ messages, toolsJson }: ChatRequest): number {
  const perMessage = messages.map(
    ({ text, toolCalls, attachments }) =>
      TOKENS_PER_MESSAGE + countTokens(text) + countTokens(toolCalls) + attachments * TOKENS_PER_ATTACHMENT,
  );

  return perMessage.reduce((sum, tokens) => sum + tokens, TOKENS_PER_REPLY + countTokens(toolsJson));
}
