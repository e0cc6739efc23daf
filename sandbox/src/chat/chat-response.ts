import { soundOf } from '../audio/sound.js';
import type { Fingerprint } from '../simulation/fingerprint.js';
import { reasoningTokens } from '../simulation/reasoning.js';
import { simulate } from '../simulation/simulate.js';
import type { ChatRequest } from './chat-request.js';
import { type ChatUsage, chatUsage } from './chat-usage.js';

interface ChatCall {
  readonly id: string;
  readonly kind: 'function' | 'custom';
  readonly name: string;
  /** The joined tokens are the arguments as JSON or the custom input. */
  readonly tokens: readonly string[];
}

interface SpeechResponse {
  readonly id: string;
  readonly base64: string;
  readonly expiresAt: number;
}

export interface ChatChoice {
  readonly index: number;
  readonly calls: readonly ChatCall[];
  /** The joined tokens are the whole content, or the transcript of a spoken response. */
  readonly tokens: readonly string[];
  readonly audio: SpeechResponse | null;
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'function_call';
}

/** A response before serialization. Its content and usage do not depend on streaming. */
export interface ChatPayload {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly serviceTier: string;
  readonly choices: readonly ChatChoice[];
  readonly legacy: boolean;
  readonly topLogprobs: number | null;
  readonly usage: ChatUsage;
}

const AUDIO_SECONDS_KEPT = 3_600;

export function respondToChat(request: ChatRequest, fingerprint: Fingerprint): ChatPayload {
  const thought = reasoningTokens(request.reasoningEffort, request.tokensMax);
  const limited = { ...request, tokensMax: request.tokensMax === null ? null : request.tokensMax - thought };
  const simulated = Array.from({ length: request.choices }, (_, index) => simulate(limited, index));
  const reasoning = thought * simulated.length;
  const completion = simulated.reduce((sum, { tokenCount }) => sum + tokenCount, reasoning);

  return {
    id: fingerprint.id('chatcmpl-', 29),
    created: fingerprint.created,
    model: request.model,
    serviceTier: request.serviceTier,
    choices: simulated.map((one, index) => choiceOf(request, one, index, fingerprint)),
    legacy: request.legacy,
    topLogprobs: request.topLogprobs,
    usage: chatUsage(request, completion, reasoning),
  };
}

function choiceOf(
  request: ChatRequest,
  { calls, tokens, cut }: ReturnType<typeof simulate>,
  index: number,
  fingerprint: Fingerprint,
): ChatChoice {
  const called = request.legacy ? 'function_call' : 'tool_calls';
  const spoken = request.audio !== null && calls.length === 0 ? request.audio : null;

  return {
    index,
    calls: calls.map((call, at) => ({
      id: fingerprint.id('call_', 24, at === 0 ? `call ${index}` : `call ${index} ${at}`),
      kind: call.tool.kind === 'custom' ? 'custom' : 'function',
      name: call.tool.name,
      tokens: call.tokens,
    })),
    tokens,
    audio: spoken && {
      id: fingerprint.id('audio_', 24, `audio ${index}`),
      base64: soundOf(spoken).bytes.toString('base64'),
      expiresAt: fingerprint.created + AUDIO_SECONDS_KEPT,
    },
    finishReason: cut ? 'length' : calls.length === 0 ? 'stop' : called,
  };
}
