import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../platform/request-context/request-context.js';
import { timeOfRequestId } from '../platform/request-context/request-id.js';
import { costRecordOf } from '../costs/request-costs.service.js';
import { NO_USAGE, type TokenUsage } from '../platform/request-context/token-usage.js';
import { storable } from '../platform/telemetry/redact.js';
import { LaterReports } from './later-usage.js';
import { UsageLedger, type CostEntry } from './usage-ledger.js';

/** About 15 MB. */
const USAGE_ROWS_MAX = 50_000;
/** About 8 MB, or 20 s of samples at 1,000 requests per second and a sample rate of 1. */
const SAMPLES_MAX = 20_000;
const REFUSALS_MAX = 2000;

/** Bounded buffers of records that are not written yet. The recorder fills them, and the writer empties them. */
@Injectable()
export class PendingRecords {
  readonly usage = new UsageLedger(USAGE_ROWS_MAX);
  readonly lastUse = new LastUse();
  readonly samples = new RequestRowQueue(SAMPLES_MAX);
  readonly refusals = new RequestRowQueue(REFUSALS_MAX);
  readonly later = new LaterReports();
  /** Token estimates in progress, bounded by the estimate queue. These promises never reject. */
  readonly estimates = new Set<Promise<void>>();
}

/** A full queue drops the oldest rows and counts them. */
export class RequestRowQueue {
  private rows: RequestRow[] = [];
  /** Index of the oldest row. Taken rows before it are removed from the array only occasionally. */
  private first = 0;
  private droppedRows = 0;

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows.length - this.first;
  }

  get dropped(): number {
    return this.droppedRows;
  }

  push(row: RequestRow): void {
    this.rows.push(row);
    if (this.size > this.rowsMax) this.drop(1);
    if (this.first > this.rowsMax) this.compact();
  }

  take(count: number): RequestRow[] {
    const taken = this.rows.slice(this.first, this.first + count);
    this.first += taken.length;
    if (this.size === 0) this.compact();
    return taken;
  }

  /** Puts rows back as the oldest, and drops those that do not fit. */
  putBack(rows: readonly RequestRow[]): void {
    const room = this.rowsMax - this.size;
    const kept = room >= rows.length ? rows : rows.slice(rows.length - room);
    this.droppedRows += rows.length - kept.length;
    this.rows = [...kept, ...this.rows.slice(this.first)];
    this.first = 0;
  }

  private drop(count: number): void {
    this.first += count;
    this.droppedRows += count;
  }

  private compact(): void {
    this.rows = this.rows.slice(this.first);
    this.first = 0;
  }
}

const HOUR_MS = 3_600_000;
const ATTEMPTS_MAX = 20;
const WRITTEN_TIMES_MAX = 100_000;

export interface KeyUse {
  readonly keyId: string;
  readonly atMs: number;
  /** Number of writes that found its row locked. */
  readonly tries: number;
}

/** Keys whose `last_used_at` must be written, at most hourly for each key (D15). */
class LastUse {
  private due = new Map<string, KeyUse>();
  /** Cleared when it is large. That costs redundant writes, but no correctness. */
  private readonly writtenAtMs = new Map<string, number>();

  get size(): number {
    return this.due.size;
  }

  note(keyId: string, atMs: number, storedAtMs: number | null): void {
    if (storedAtMs !== null && atMs - storedAtMs < HOUR_MS) return;
    const knownAtMs = this.writtenAtMs.get(keyId);
    if (knownAtMs !== undefined && atMs - knownAtMs < HOUR_MS) return;
    if (!this.due.has(keyId)) this.due.set(keyId, { keyId, atMs, tries: 0 });
  }

  take(): KeyUse[] {
    const uses = [...this.due.values()];
    this.due = new Map();
    return uses;
  }

  /** Records the result of a write. Keys that are missing from `stored` had locked rows and are retried for some seconds. */
  written(uses: readonly KeyUse[], stored: ReadonlyMap<string, number>): void {
    if (this.writtenAtMs.size > WRITTEN_TIMES_MAX) this.writtenAtMs.clear();
    for (const use of uses) {
      const storedAtMs = stored.get(use.keyId);
      if (storedAtMs !== undefined) this.writtenAtMs.set(use.keyId, storedAtMs);
      else if (use.tries < ATTEMPTS_MAX) this.due.set(use.keyId, { ...use, tries: use.tries + 1 });
    }
  }

  putBack(uses: readonly KeyUse[]): void {
    for (const use of uses) this.due.set(use.keyId, use);
  }
}

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
  /** Null if there is no price. */
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
    upstreamLatencyMs: ctx.upstream.recordedLatencyMs === null ? null : wholeMs(ctx.upstream.recordedLatencyMs),
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

/** Returns the model for usage sums, or ''. It has passed the model gate, so the catalog bounds the number of names (D30). */
export function usageModel(model: string | null): string {
  return model === null || model.length > MODEL_LENGTH_MAX ? '' : storable(model, MODEL_LENGTH_MAX);
}
