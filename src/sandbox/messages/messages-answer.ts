import type { Fingerprint } from '../simulation/fingerprint.js';
import { simulate, withinLimit } from '../simulation/simulate.js';
import { tokensOf } from '../simulation/tokens.js';
import { promptTokens } from '../simulation/turn.js';
import type { MessagesRequest } from './messages-request.js';

const THINKING = 'The sandbox does not think; it writes this so that a thinking block can be seen to arrive.';

/** A content block before it is written; its pieces join to its text, its thinking or its arguments as JSON. */
export type AnswerBlock =
  | { readonly type: 'thinking'; readonly pieces: readonly string[]; readonly signature: string }
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'tool_use'; readonly pieces: readonly string[]; readonly id: string; readonly name: string };

/** An answer before it is written, buffered or streamed: both say the same and cost the same. */
export interface MessagesAnswer {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly AnswerBlock[];
  readonly stopReason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use';
  readonly stopSequence: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Thinking takes its tokens first; what `max_tokens` leaves is for the rest. */
export function answerMessages(request: MessagesRequest, fingerprint: Fingerprint): MessagesAnswer {
  const thought = withinLimit(request.thinking ? tokensOf(THINKING) : [], request.tokensMax).tokens;
  const tokensMax = request.tokensMax - thought.length;
  const told = simulate({ ...request, tokensMax });
  const blocks: AnswerBlock[] = [];

  if (request.thinking) {
    blocks.push({ type: 'thinking', pieces: thought, signature: fingerprint.id('sandbox', 40, 'signature') });
  }
  if (told.tool !== null) {
    blocks.push({
      type: 'tool_use',
      pieces: told.tokens,
      id: fingerprint.id('toolu_', 24, 'tool'),
      name: told.tool,
    });
  } else if (told.tokens.length > 0) {
    blocks.push({ type: 'text', pieces: told.tokens });
  }

  return {
    id: fingerprint.id('msg_', 24),
    model: request.model,
    blocks,
    stopReason: told.cut ? 'max_tokens' : stopReasonOf(told),
    stopSequence: told.stoppedAt,
    inputTokens: promptTokens(request.turns, request.toolsJson),
    outputTokens: thought.length + told.tokens.length,
  };
}

function stopReasonOf(told: ReturnType<typeof simulate>): MessagesAnswer['stopReason'] {
  if (told.tool !== null) return 'tool_use';
  return told.stoppedAt === null ? 'end_turn' : 'stop_sequence';
}
