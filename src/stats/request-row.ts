import type { RequestContext } from '../platform/request-context/request-context.js';
import { timeOfRequestId } from '../platform/request-context/request-id.js';
import type { CostEntry } from './cost-ledger.js';
import { costRecordOf } from '../costs/cost-record.rules.js';
import { NO_USAGE, type TokenUsage } from '../platform/request-context/token-usage.js';
import { storable } from '../platform/telemetry/redact.js';

const MODEL_LENGTH_MAX = 200;
/** Messages contain the names of form fields, which the client chooses. */
const MESSAGE_LENGTH_MAX = 500;

export interface RequestRow {
  readonly id: string;
  /** The time in the ID, in milliseconds since 1970. */
  readonly createdAtMs: number;
  readonly keyId: string;
  readonly status: number;
  readonly stream: boolean;
  readonly latencyMs: number;
  readonly upstreamLatencyMs: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usageSource: TokenUsage['provenance'];
  readonly method: string;
  readonly endpoint: string;
  readonly model: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly upstream: string | null;
  /** JSON; null with a single account. */
  readonly attempts: string | null;
  /** Null without a price. */
  readonly costNanos: string | null;
  /** JSON: how the amount was computed. Null if the request was not sent to a provider. */
  readonly cost: string | null;
}

type Outcome = Pick<RequestRow, 'keyId' | 'endpoint' | 'status' | 'latencyMs'>;

export function requestRowOf(ctx: RequestContext, { keyId, endpoint, status, latencyMs }: Outcome): RequestRow {
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
    upstream: ctx.upstream.name,
    attempts: ctx.upstream.attempts.length === 0 ? null : storable(JSON.stringify(ctx.upstream.attempts), Infinity),
    costNanos: null,
    cost: null,
  };
}

export const usageColumns = ({ inputTokens, outputTokens, provenance }: TokenUsage) => ({
  inputTokens,
  outputTokens,
  usageSource: provenance,
});

export const costColumns = ({ priced, ...entry }: CostEntry): Pick<RequestRow, 'costNanos' | 'cost'> => ({
  costNanos: priced.nanos === null ? null : String(priced.nanos),
  cost: JSON.stringify(costRecordOf(priced, entry)),
});

const wholeMs = (ms: number): number => Math.min(2 ** 31 - 1, Math.max(0, Math.round(ms)));

/** The model of usage sums, or ''. It has passed the model gate, so the catalog bounds the number of names (D30). */
export function usageModel(model: string | null): string {
  return model === null || model.length > MODEL_LENGTH_MAX ? '' : storable(model, MODEL_LENGTH_MAX);
}
