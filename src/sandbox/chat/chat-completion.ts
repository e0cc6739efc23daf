import type { ChatAnswer, ChatChoice } from './chat-answer.js';

export const SYSTEM_FINGERPRINT = 'fp_5a4db0c5a4';

/** The answer as one `chat.completion` object. */
export function chatCompletion(answer: ChatAnswer): object {
  return {
    id: answer.id,
    object: 'chat.completion',
    created: answer.created,
    model: answer.model,
    choices: answer.choices.map((choice) => ({
      index: choice.index,
      message: messageOf(choice),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    usage: answer.usage,
    service_tier: answer.serviceTier,
    system_fingerprint: SYSTEM_FINGERPRINT,
  };
}

function messageOf({ call, tokens }: ChatChoice): object {
  const text = tokens.join('');

  if (call === null) return { role: 'assistant', content: text, refusal: null, annotations: [] };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: text } }],
    refusal: null,
    annotations: [],
  };
}
