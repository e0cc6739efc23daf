import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import { Outage } from '../quota/outage.service.js';
import type { RequestContext } from '../request-context/request-context.js';
import { NO_USAGE, type TokenUsage } from '../request-context/token-usage.js';
import { PendingRecords, type RequestRowQueue } from './pending-records.js';
import { countsAsError, isSampled, RefusalRate } from './recording.rules.js';
import { requestRowOf, usageColumns, usageModel } from './request-row.js';
import type { UsedTokens } from './usage-ledger.js';

const NO_TOKENS: UsedTokens = { inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };

/** Notes what each request was, in memory only; `StatsWriter` writes it down within a second. */
@Injectable()
export class RequestRecorder {
  private readonly refusals = new RefusalRate();
  private refusedForRoom = 0;
  private readonly tokens = {
    reported: { input: 0, output: 0 },
    estimated: { input: 0, output: 0 },
    partial: { input: 0, output: 0 },
  };

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly pending: PendingRecords,
    private readonly outage: Outage,
  ) {}

  /** Refusals left out for their rate since the start of the process. */
  get refusalsLeftOut(): number {
    return this.refusals.leftOut;
  }

  /** Requests that `takes` has said no to since the start of the process. */
  get usageRefused(): number {
    return this.refusedForRoom;
  }

  /** Tokens recorded since the start of the process, by where their figures come from. */
  get recordedTokens(): Readonly<
    Record<'reported' | 'estimated' | 'partial', { readonly input: number; readonly output: number }>
  > {
    return this.tokens;
  }

  /**
   * Whether a request of this key can still be recorded: false only while the database is away for long and the key has no row
   * among those that wait. Asked before a request is admitted in an outage; what is recorded all the same is kept.
   */
  takes(keyId: string): boolean {
    if (this.pending.usage.takes(keyId)) return true;
    this.refusedForRoom += 1;
    return false;
  }

  /**
   * Once a request, when its answer has ended: served, refused or cut. Never throws, never waits, some microseconds.
   * Where tokens are still being counted it is recorded when they are: the request's bodies are not held so long.
   * Usage and last use: of admitted requests. Sample and refusals: of any request under /v1 with a known key.
   * @param status what the client was answered; 499 where it went away before
   * @param latencyMs from the request's head to the answer's end
   */
  record(ctx: RequestContext, status: number, latencyMs: number): void {
    const { key, route } = ctx;
    if (key === null || route?.kind !== 'gateway') return;
    const failed = countsAsError(status, ctx.response.abandoned, ctx.response.errorReported);
    // The instant that quota counted it at, so that usage and quota agree on its day and month.
    const atMs = ctx.figures === null ? this.clock.now() : ctx.figures.nowMs;
    if (ctx.admitted) this.pending.lastUse.note(key.id, atMs, key.lastUsedAtMs);
    const queue = this.queueFor(ctx.requestId, failed);
    const row = queue === null ? null : requestRowOf(ctx, key.id, route.endpoint, status, latencyMs);
    const { admitted } = ctx;
    const model = usageModel(ctx.model);
    const reported = ctx.usage ?? NO_USAGE;
    const write = (usage: TokenUsage): void => {
      this.countTokens(usage);
      if (admitted) {
        this.pending.usage.add(key.id, atMs, model, failed, usedTokens(reported, usage));
        this.outage.spend(key.id, usage.inputTokens + usage.outputTokens);
      }
      if (row !== null) queue?.push({ ...row, ...usageColumns(usage) });
    };
    if (ctx.estimate === null) write(reported);
    else this.writeLater(ctx.estimate, write);
  }

  /** Of a request that was recorded before it was admitted, for its client had gone meanwhile: it is counted, so it is used. */
  recordLate({ key, figures, model }: RequestContext): void {
    if (key === null || figures === null) return;
    this.pending.lastUse.note(key.id, figures.nowMs, key.lastUsedAtMs);
    this.pending.usage.add(key.id, figures.nowMs, usageModel(model), false, NO_TOKENS);
  }

  private countTokens({ provenance, inputTokens, outputTokens }: TokenUsage): void {
    if (provenance === 'none') return;
    const sums = this.tokens[provenance];
    sums.input += inputTokens;
    sums.output += outputTokens;
  }

  private writeLater(estimate: Promise<TokenUsage>, write: (usage: TokenUsage) => void): void {
    const written = estimate.then(write);
    this.pending.estimates.add(written);
    void written.then(() => this.pending.estimates.delete(written));
  }

  /** Where its row is kept; null: nowhere. */
  private queueFor(requestId: string, failed: boolean): RequestRowQueue | null {
    if (isSampled(requestId, this.config.logSampleRate)) return this.pending.samples;
    return failed && this.refusals.takes(this.clock.now()) ? this.pending.refusals : null;
  }
}

/** @param reported what the answer told: of partly estimated usage the part that is not */
function usedTokens(reported: TokenUsage, { inputTokens, outputTokens, provenance }: TokenUsage): UsedTokens {
  const told = provenance === 'estimated' ? 0 : reported.inputTokens + reported.outputTokens;
  const estimatedTokens = provenance === 'none' ? 0 : inputTokens + outputTokens - told;
  return { inputTokens, outputTokens, estimatedTokens };
}
