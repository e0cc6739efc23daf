import type { RequestContext } from '../request-context/request-context.js';
import { timeOfRequestId } from '../request-context/request-id.js';
import { NO_USAGE, type TokenUsage } from '../request-context/token-usage.js';
import { storableMessage, storableModel } from './recorded-text.rules.js';

/** One request as it is kept: no body, no credential (D15). */
export interface RequestRow {
  readonly id: string;
  /** Time of the id, milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly keyId: string;
  readonly status: number;
  readonly stream: boolean;
  readonly latencyMs: number;
  readonly upstreamLatencyMs: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Where the two figures come from. */
  readonly usageSource: TokenUsage['provenance'];
  readonly method: string;
  /** The route's template. */
  readonly endpoint: string;
  /** The model asked for. */
  readonly model: string | null;
  readonly errorCode: string | null;
  /** What the client was told with it. */
  readonly errorMessage: string | null;
}

export function requestRowOf(
  ctx: RequestContext,
  keyId: string,
  endpoint: string,
  status: number,
  latencyMs: number,
): RequestRow {
  return {
    id: ctx.requestId,
    createdAtMs: timeOfRequestId(ctx.requestId),
    keyId,
    status,
    stream: ctx.stream,
    latencyMs: wholeMs(latencyMs),
    upstreamLatencyMs: ctx.upstream.latencyMs === null ? null : wholeMs(ctx.upstream.latencyMs),
    ...usageColumns(ctx.usage ?? NO_USAGE),
    method: ctx.method,
    endpoint,
    model: ctx.model === null ? null : storableModel(ctx.model),
    errorCode: ctx.response.errorCode,
    errorMessage: ctx.response.errorMessage === null ? null : storableMessage(ctx.response.errorMessage),
  };
}

/** The part of a row that is known last. */
export const usageColumns = ({ inputTokens, outputTokens, provenance }: TokenUsage) => ({
  inputTokens,
  outputTokens,
  usageSource: provenance,
});

const wholeMs = (ms: number): number => Math.min(2 ** 31 - 1, Math.max(0, Math.round(ms)));
