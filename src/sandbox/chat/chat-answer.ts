import type { Fingerprint } from '../simulation/fingerprint.js';
import { simulate, type Told } from '../simulation/simulate.js';
import type { ChatRequest } from './chat-request.js';
import { type ChatUsage, chatUsage } from './chat-usage.js';

export interface ChatChoice {
  readonly index: number;
  /** The tool that is called, whose arguments the tokens are; null for text. */
  readonly call: { readonly id: string; readonly name: string } | null;
  /** They join to the whole content, or to the arguments as JSON. */
  readonly tokens: readonly string[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
}

/** An answer before it is written, buffered or streamed: both say the same and cost the same. */
export interface ChatAnswer {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly serviceTier: string;
  readonly choices: readonly ChatChoice[];
  readonly usage: ChatUsage;
}

export function answerChat(request: ChatRequest, fingerprint: Fingerprint): ChatAnswer {
  const choices = Array.from({ length: request.choices }, (_, index) =>
    choiceOf(simulate(request, index), index, fingerprint),
  );

  return {
    id: fingerprint.id('chatcmpl-', 29),
    created: fingerprint.created,
    model: request.model,
    serviceTier: request.serviceTier,
    choices,
    usage: chatUsage(request, choices),
  };
}

function choiceOf({ tool, tokens, cut }: Told, index: number, fingerprint: Fingerprint): ChatChoice {
  const whole = tool === null ? 'stop' : 'tool_calls';

  return {
    index,
    call: tool === null ? null : { id: fingerprint.id('call_', 24, `call ${index}`), name: tool },
    tokens,
    finishReason: cut ? 'length' : whole,
  };
}
