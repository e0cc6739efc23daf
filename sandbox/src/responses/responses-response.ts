import type { Fingerprint } from '../simulation/fingerprint.js';
import { simulate } from '../simulation/simulate.js';

import { reasoningTokens } from '../simulation/reasoning.js';
import { cachedTokens, promptTokens } from '../simulation/turn.js';
import type { JsonObject } from '../wire/json-object.js';
import { callItem, compactionItem, messageItem, type OutputItem, reasoningItem } from './output-item.js';
import type { ResponseRequest } from './response-request.js';

export interface ResponsesResponse {
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly items: readonly OutputItem[];
  readonly cut: boolean;
  readonly usage: ResponseUsage;
  readonly echoed: JsonObject;
}

export interface ResponseUsage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

/** Reasoning uses its tokens first. Calls and text get the rest of `max_output_tokens`. */
export function respondToResponses(request: ResponseRequest, fingerprint: Fingerprint): ResponsesResponse {
  const { reasoning, compacts } = request;
  const thought = reasoning === null || compacts ? 0 : reasoningTokens(reasoning.effort, request.tokensMax);
  const items: OutputItem[] = [];
  let cut = false;
  let output = thought;

  if (reasoning !== null && !compacts) {
    const encrypted = reasoning.encrypted ? sealed('reasoning', fingerprint) : null;

    items.push(reasoningItem(fingerprint.id('rs_', 48, 'reasoning'), reasoning.summarized, encrypted));
  }
  if (compacts) {
    items.push(compactionItem(fingerprint.id('cmp_', 48, 'compaction'), sealed('compaction', fingerprint)));
    output += 1;
  } else {
    const simulated = simulate({
      ...request,
      tokensMax: request.tokensMax === null ? null : request.tokensMax - thought,
    });
    const last = simulated.calls.length - 1;

    items.push(
      ...simulated.calls.map((call, index) => callItem(call, index, fingerprint, simulated.cut && index === last)),
    );
    if (simulated.tokens.length > 0 || items.length === 0) {
      items.push(messageItem(fingerprint.id('msg_', 48, 'message'), simulated.tokens, simulated.cut));
    }
    cut = simulated.cut;
    output += simulated.tokenCount;
  }

  return {
    id: fingerprint.id('resp_', 48),
    createdAt: fingerprint.created,
    model: request.model,
    items,
    cut,
    usage: responseUsage(request, output, thought),
    echoed: request.echoed,
  };
}

export function inputTokens({ turns, toolsJson }: Pick<ResponseRequest, 'turns' | 'toolsJson'>): number {
  return promptTokens(turns, toolsJson);
}

export function responseUsage(
  request: Pick<ResponseRequest, 'turns' | 'toolsJson'>,
  output: number,
  reasoning: number,
): ResponseUsage {
  const input = inputTokens(request);

  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cachedTokens(request.turns, request.toolsJson),
      cache_write_tokens: 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** Returns opaque content, derived from the request, that only the vendor could read. */
export function sealed(what: string, fingerprint: Fingerprint): string {
  return Buffer.from(fingerprint.id('sandbox ', 64, what)).toString('base64');
}
