import type { JsonObject } from '../wire/json-object.js';
import type { ChatPayload, ChatChoice } from './chat-response.js';

export const SYSTEM_FINGERPRINT = 'fp_5a4db0c5a4';
const LOGPROB = -0.1;

export function chatCompletion(response: ChatPayload): JsonObject & { readonly id: string } {
  return {
    id: response.id,
    object: 'chat.completion',
    created: response.created,
    model: response.model,
    choices: response.choices.map((choice) => ({
      index: choice.index,
      message: messageOf(choice, response.legacy),
      logprobs: logprobsOf(response, choice.tokens),
      finish_reason: choice.finishReason,
    })),
    usage: response.usage,
    service_tier: response.serviceTier,
    system_fingerprint: SYSTEM_FINGERPRINT,
  };
}

export function logprobsOf({ topLogprobs }: ChatPayload, tokens: readonly string[]): object | null {
  if (topLogprobs === null) return null;
  return {
    content: tokens.map((token) => {
      const entry = { token, logprob: LOGPROB, bytes: [...Buffer.from(token)] };

      return { ...entry, top_logprobs: topLogprobs > 0 ? [entry] : [] };
    }),
    refusal: null,
  };
}

function messageOf({ calls, tokens, audio }: ChatChoice, legacy: boolean): object {
  const text = tokens.join('');
  const message = { role: 'assistant', content: null, refusal: null, annotations: [] };

  if (audio !== null) {
    const { id, base64, expiresAt } = audio;

    return { ...message, audio: { id, data: base64, expires_at: expiresAt, transcript: text } };
  }

  const [first] = calls;

  if (first === undefined) return { ...message, content: text };
  if (legacy) return { ...message, function_call: { name: first.name, arguments: first.tokens.join('') } };
  return {
    ...message,
    tool_calls: calls.map(({ id, kind, name, tokens: pieces }) =>
      kind === 'custom'
        ? { id, type: 'custom', custom: { name, input: pieces.join('') } }
        : { id, type: 'function', function: { name, arguments: pieces.join('') } },
    ),
  };
}
