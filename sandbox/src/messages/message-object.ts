import type { JsonObject } from '../wire/json-object.js';
import type { MessagesAnswer } from './messages-answer.js';
import type { StoredMessage } from './stored-message.js';

export function messageObject(answer: MessagesAnswer): StoredMessage {
  return {
    ...messageHead(answer),
    content: answer.blocks.map(({ whole }) => whole),
    stop_reason: answer.stopReason,
    stop_sequence: answer.stopSequence,
    usage: messageUsage(answer),
  };
}

export function messageHead({ id, model }: MessagesAnswer): JsonObject & { readonly id: string } {
  return { id, type: 'message', role: 'assistant', model, container: null, stop_details: null, diagnostics: null };
}

export function messageUsage(answer: MessagesAnswer, outputTokens = answer.outputTokens): JsonObject {
  const { prompt } = answer;

  return {
    ...cumulativeUsage(answer, outputTokens),
    cache_creation: {
      ephemeral_5m_input_tokens: prompt.written5m,
      ephemeral_1h_input_tokens: prompt.written1h,
    },
    inference_geo: null,
    service_tier: 'standard',
    speed: 'standard',
  };
}

export function cumulativeUsage(answer: MessagesAnswer, outputTokens = answer.outputTokens): JsonObject {
  const { prompt, serverCalls, thinkingTokens } = answer;
  const calls = (name: string): number => serverCalls.filter((call) => call === name).length;

  return {
    input_tokens: prompt.uncached,
    cache_creation_input_tokens: prompt.written5m + prompt.written1h,
    cache_read_input_tokens: prompt.read,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use:
      serverCalls.length === 0
        ? null
        : { web_search_requests: calls('web_search'), web_fetch_requests: calls('web_fetch') },
  };
}
