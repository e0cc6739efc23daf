import type { Fingerprint } from '../simulation/fingerprint.js';
import { replyText } from '../simulation/reply-text.js';
import { cutAtStop, withinLimit } from '../simulation/simulate.js';
import { countTokens, tokensOf } from '../simulation/tokens.js';
import type { CompletionRequest } from './completion-request.js';

interface CompletionChoice {
  readonly index: number;
  /** The joined pieces are the whole text, including the echoed prompt. */
  readonly pieces: readonly string[];
  readonly finishReason: 'stop' | 'length';
}

export interface CompletionResponse {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly CompletionChoice[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

/** The vendor numbers choices by prompt: all choices of the first prompt come first. */
export function respondToCompletion(request: CompletionRequest, fingerprint: Fingerprint): CompletionResponse {
  const prompted = request.prompts.flatMap((prompt) => Array.from({ length: request.choicesPerPrompt }, () => prompt));
  const completed = prompted.map((prompt, index) => complete(request, prompt, index));
  const promptTokens = request.prompts.reduce((sum, prompt) => sum + countTokens(prompt), 0);
  const completionTokens = completed.reduce((sum, { tokens }) => sum + tokens.length, 0);

  return {
    id: fingerprint.id('cmpl-', 29),
    created: fingerprint.created,
    model: request.model,
    choices: completed.map(({ tokens, cut }, index) => ({
      index,
      pieces: request.echo ? [prompted[index] ?? '', ...tokens] : tokens,
      finishReason: cut ? 'length' : 'stop',
    })),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

function complete(request: CompletionRequest, prompt: string, index: number): ReturnType<typeof withinLimit> {
  const turn = { role: 'user', text: prompt, attachments: 0, toolCalls: '' };
  const { text } = cutAtStop(replyText([turn], index), request.stop);

  return withinLimit(tokensOf(text), request.tokensMax);
}
