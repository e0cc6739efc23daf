import type { Fingerprint } from '../simulation/fingerprint.js';
import { replyText } from '../simulation/reply-text.js';
import { cutAtStop, withinLimit } from '../simulation/simulate.js';
import { countTokens, tokensOf } from '../simulation/tokens.js';
import type { CompletionRequest } from './completion-request.js';

interface CompletionChoice {
  readonly index: number;
  /** They join to the text, the echoed prompt among it. */
  readonly pieces: readonly string[];
  readonly finishReason: 'stop' | 'length';
}

/** An answer before it is written, buffered or streamed: both say the same and cost the same. */
export interface CompletionAnswer {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly CompletionChoice[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
}

/** The choices of the first prompt come first, as the vendor numbers them. */
export function answerCompletion(request: CompletionRequest, fingerprint: Fingerprint): CompletionAnswer {
  const prompted = request.prompts.flatMap((prompt) => Array.from({ length: request.choicesPerPrompt }, () => prompt));
  const told = prompted.map((prompt, index) => tell(request, prompt, index));
  const promptTokens = request.prompts.reduce((sum, prompt) => sum + countTokens(prompt), 0);
  const completionTokens = told.reduce((sum, { tokens }) => sum + tokens.length, 0);

  return {
    id: fingerprint.id('cmpl-', 29),
    created: fingerprint.created,
    model: request.model,
    choices: told.map(({ tokens, cut }, index) => ({
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

function tell(request: CompletionRequest, prompt: string, index: number): ReturnType<typeof withinLimit> {
  const turn = { role: 'user', text: prompt, attachments: 0, toolCalls: '' };
  const { text } = cutAtStop(replyText([turn], index), request.stop);

  return withinLimit(tokensOf(text), request.tokensMax);
}
