import { cachedTokens, promptTokens } from '../simulation/turn.js';
import type { ChatRequest } from './chat-request.js';

export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: Readonly<Record<string, number>>;
  readonly completion_tokens_details: Readonly<Record<string, number>>;
}

/** @param completion tokens of all choices, including reasoning; the prompt counts only once */
export function chatUsage(request: ChatRequest, completion: number, reasoning: number): ChatUsage {
  const prompt = promptTokens(request.turns, request.toolsJson);

  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cachedTokens(request.turns, request.toolsJson), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: request.audio === null ? 0 : completion - reasoning,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
