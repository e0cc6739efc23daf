import { promptTokens } from '../simulation/turn.js';
import type { ChatRequest } from './chat-request.js';

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
  const prompt = promptTokens(request.turns, request.toolsJson);
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
