import type { Fingerprint } from '../simulation/fingerprint.js';
import { simulate, type Told, withinLimit } from '../simulation/simulate.js';
import { tokensOf } from '../simulation/tokens.js';
import { promptTokens } from '../simulation/turn.js';
import { type AnswerBlock, callBlocks, textBlock, thinkingBlock } from './answer-block.js';
import type { MessagesRequest } from './messages-request.js';
import { billedTokens, type PromptTokens } from './prompt-cache.js';

const THINKING = 'The sandbox does not think. It writes these words for clients to show.';

/** An answer before it is written, buffered or streamed: both have the same content and usage. */
export interface MessagesAnswer {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly AnswerBlock[];
  readonly stopReason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use';
  readonly stopSequence: string | null;
  readonly prompt: PromptTokens;
  readonly outputTokens: number;
  /** Part of `outputTokens`. */
  readonly thinkingTokens: number;
  /** Calls that the vendor ran, by tool name. */
  readonly serverCalls: readonly string[];
}

/** Thinking takes its tokens first; the rest of `max_tokens` is left for the calls and the text. */
export function answerMessages(request: MessagesRequest, fingerprint: Fingerprint): MessagesAnswer {
  const { thinking, turns, toolsJson } = request;
  const thinks = thinking !== 'none' && request.tokensMax > 0;
  const thought = withinLimit(thinks ? tokensOf(THINKING) : [], request.tokensMax).tokens;
  const told = simulate({ ...request, tokensMax: request.tokensMax - thought.length });
  const signature = fingerprint.id('sandbox', 40, 'signature');
  const blocks = [
    ...(thinks ? [thinkingBlock(thinking === 'omitted' ? [] : thought, signature)] : []),
    ...told.calls.flatMap((call, index) => callBlocks(call, index, fingerprint)),
    ...(told.tokens.length > 0 ? [textBlock(told.tokens)] : []),
  ];

  return {
    id: fingerprint.id('msg_', 24),
    model: request.model,
    blocks,
    stopReason: told.cut ? 'max_tokens' : stopReasonOf(told),
    stopSequence: told.stoppedAt,
    prompt: billedTokens(inputTokens(request), turns, toolsJson, request.breakpoints),
    outputTokens: thought.length + told.tokenCount,
    thinkingTokens: thought.length,
    serverCalls: told.calls.filter(({ tool }) => tool.kind === 'server').map(({ tool }) => tool.name),
  };
}

export function inputTokens({ turns, toolsJson }: MessagesRequest): number {
  return promptTokens(turns, toolsJson);
}

function stopReasonOf({ calls, stoppedAt }: Told): MessagesAnswer['stopReason'] {
  if (calls.some(({ tool }) => tool.kind !== 'server')) return 'tool_use';
  return stoppedAt === null ? 'end_turn' : 'stop_sequence';
}
