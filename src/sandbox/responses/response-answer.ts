import type { Fingerprint } from '../simulation/fingerprint.js';
import { simulate } from '../simulation/simulate.js';
import { promptTokens } from '../simulation/turn.js';
import type { JsonObject } from '../wire/json-object.js';
import type { ResponseRequest } from './response-request.js';

/** The one item of the output; its pieces join to its text, or to the arguments as JSON. */
export type OutputItem =
  | { readonly type: 'message'; readonly id: string; readonly pieces: readonly string[] }
  | {
      readonly type: 'function_call';
      readonly id: string;
      readonly callId: string;
      readonly name: string;
      readonly pieces: readonly string[];
    };

/** An answer before it is written, buffered or streamed: both say the same and cost the same. */
export interface ResponseAnswer {
  readonly id: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly model: string;
  readonly item: OutputItem;
  /** `max_output_tokens` cut it. */
  readonly cut: boolean;
  readonly inputTokens: number;
  readonly echoed: JsonObject;
}

export function answerResponse(request: ResponseRequest, fingerprint: Fingerprint): ResponseAnswer {
  const { tool, tokens, cut } = simulate(request);
  const item: OutputItem =
    tool === null
      ? { type: 'message', id: fingerprint.id('msg_', 48, 'message'), pieces: tokens }
      : {
          type: 'function_call',
          id: fingerprint.id('fc_', 48, 'item'),
          callId: fingerprint.id('call_', 24, 'call'),
          name: tool,
          pieces: tokens,
        };

  return {
    id: fingerprint.id('resp_', 48),
    createdAt: fingerprint.created,
    model: request.model,
    item,
    cut,
    inputTokens: promptTokens(request.turns, request.toolsJson),
    echoed: request.echoed,
  };
}
