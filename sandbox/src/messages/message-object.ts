import type { JsonObject } from '../wire/json-object.js';
import type { MessagesResponse } from './messages-response.js';
import type { StoredMessage } from './stored-message.js';

export function messageObject(response: MessagesResponse): StoredMessage {
  return {
    ...messageHead(response),
    content: response.blocks.map(({ whole }) => whole),
    stop_reason: response.stopReason,
    stop_sequence: response.stopSequence,
    usage: messageUsage(response),
  };
}

export function messageHead({ id, model }: MessagesResponse): JsonObject & { readonly id: string } {
  return { id, type: 'message', role: 'assistant', model, container: null, stop_details: null, diagnostics: null };
}

export function messageUsage(response: MessagesResponse, outputTokens = response.outputTokens): JsonObject {
  const { prompt } = response;

  return {
    ...cumulativeUsage(response, outputTokens),
    cache_creation: {
      ephemeral_5m_input_tokens: prompt.written5m,
      ephemeral_1h_input_tokens: prompt.written1h,
    },
    inference_geo: null,
    service_tier: 'standard',
    speed: 'standard',
  };
}

export function cumulativeUsage(response: MessagesResponse, outputTokens = response.outputTokens): JsonObject {
  const { prompt, serverCalls, thinkingTokens } = response;
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
