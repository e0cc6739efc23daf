import type { RequestContext } from '../request-context/request-context.js';
import { timeOfRequestId } from '../request-context/request-id.js';
import { NO_USAGE, type TokenUsage } from '../request-context/token-usage.js';
import { withoutKeys } from '../telemetry/redact.js';

const MODEL_LENGTH_MAX = 200;
/** Messages contain the names of form fields, which the client chooses. */
const MESSAGE_LENGTH_MAX = 500;

/** One request as it is stored: no body, no credential (D15). */
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
  /** The source of the two figures. */
  readonly usageSource: TokenUsage['provenance'];
  readonly method: string;
  /** The route's template. */
  readonly endpoint: string;
  /** The model asked for. */
  readonly model: string | null;
  readonly errorCode: string | null;
  /** The message that the client received. */
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
    model: ctx.model === null ? null : storable(ctx.model, MODEL_LENGTH_MAX),
    errorCode: ctx.response.errorCode,
    errorMessage: ctx.response.errorMessage === null ? null : storable(ctx.response.errorMessage, MESSAGE_LENGTH_MAX),
  };
}

/** The part of a row that is known last. */
export const usageColumns = ({ inputTokens, outputTokens, provenance }: TokenUsage) => ({
  inputTokens,
  outputTokens,
  usageSource: provenance,
});

const wholeMs = (ms: number): number => Math.min(2 ** 31 - 1, Math.max(0, Math.round(ms)));

/**
 * The model that usage is summed under. Names have passed the model gate, so their number is bounded by the catalog. Longer names
 * never pass it (D30), and count as no model, which is ''.
 */
export function usageModel(model: string | null): string {
  return model === null || model.length > MODEL_LENGTH_MAX ? '' : storable(model, MODEL_LENGTH_MAX);
}

/**
 * Text as PostgreSQL can store it, without NUL and lone surrogates: one such text would make the write of the whole batch fail.
 * It also contains no API key that was pasted into the wrong field (D24), since every viewer of the dashboard can read it.
 */
function storable(text: string, lengthMax: number): string {
  const start = text.length > lengthMax ? text.slice(0, lengthMax) : text;
  return withoutKeys(start).toWellFormed().replaceAll('\0', '\ufffd');
}
