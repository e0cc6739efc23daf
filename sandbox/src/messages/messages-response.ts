import type { Fingerprint } from '../simulation/fingerprint.js';
import { simulate, type Told, withinLimit } from '../simulation/simulate.js';
import { tokensOf } from '../simulation/tokens.js';
import { promptTokens } from '../simulation/turn.js';
import { type ResponseBlock, callBlocks, textBlock, thinkingBlock } from './response-block.js';
import type { MessagesRequest } from './messages-request.js';
import { billedTokens, type PromptTokens } from './prompt-cache.js';

const THINKING = 'The sandbox does not think. It sends this text for clients to display.';

export interface MessagesResponse {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ResponseBlock[];
  readonly stopReason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use';
  readonly stopSequence: string | null;
  readonly prompt: PromptTokens;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  readonly serverCalls: readonly string[];
}

/** Thinking uses its tokens first. Calls and text get the rest of `max_tokens`. */
export function respondToMessages(request: MessagesRequest, fingerprint: Fingerprint): MessagesResponse {
  const { thinking, turns, toolsJson } = request;
  const thinks = thinking !== 'none' && request.tokensMax > 0;
  const thought = withinLimit(thinks ? tokensOf(THINKING) : [], request.tokensMax).tokens;
  const simulated = simulate({ ...request, tokensMax: request.tokensMax - thought.length });
  const signature = fingerprint.id('sandbox', 40, 'signature');
  const blocks = [
    ...(thinks ? [thinkingBlock(thinking === 'omitted' ? [] : thought, signature)] : []),
    ...simulated.calls.flatMap((call, index) => callBlocks(call, index, fingerprint)),
    ...(simulated.tokens.length > 0 ? [textBlock(simulated.tokens)] : []),
  ];

  return {
    id: fingerprint.id('msg_', 24),
    model: request.model,
    blocks,
    stopReason: simulated.cut ? 'max_tokens' : stopReasonOf(simulated),
    stopSequence: simulated.stoppedAt,
    prompt: billedTokens(inputTokens(request), turns, toolsJson, request.breakpoints),
    outputTokens: thought.length + simulated.tokenCount,
    thinkingTokens: thought.length,
    serverCalls: simulated.calls.filter(({ tool }) => tool.kind === 'server').map(({ tool }) => tool.name),
  };
}

export function inputTokens({ turns, toolsJson }: MessagesRequest): number {
  return promptTokens(turns, toolsJson);
}

function stopReasonOf({ calls, stoppedAt }: Told): MessagesResponse['stopReason'] {
  if (calls.some(({ tool }) => tool.kind !== 'server')) return 'tool_use';
  return stoppedAt === null ? 'end_turn' : 'stop_sequence';
}
