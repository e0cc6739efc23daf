import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Config } from '../config/config.js';
import type { RequestContext } from '../request-context/request-context.js';
import { NO_USAGE } from '../request-context/token-usage.js';
import { usageModel } from './model-name.rules.js';
import { PendingRecords } from './pending-records.js';
import { requestRowOf } from './request-row.js';
import { isSampled } from './sample.rules.js';

/** Refused and failed requests kept beside the sample, a second and process (D15). */
export const REFUSALS_PER_SECOND_MAX = 50;

/** Notes what each request was, in memory only; `StatsWriter` writes it down within a second. */
@Injectable()
export class RequestRecorder {
  private second = 0;
  private refusalsThisSecond = 0;
  private leftOut = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly pending: PendingRecords,
  ) {}

  /** Refusals left out for their rate since the start of the process. */
  get refusalsLeftOut(): number {
    return this.leftOut;
  }

  /**
   * Whether a request of this key can still be recorded: false only while the database is away for long and the key has no row
   * among those that wait. Asked before a request is admitted in an outage; what is recorded all the same is kept.
   */
  takes(keyId: string): boolean {
    return this.pending.usage.takes(keyId);
  }

  /**
   * Once a request, when its answer has ended: served, refused or cut. Never throws, never waits, some microseconds.
   * Usage and last use: of admitted requests. Sample and refusals: of any request under /v1 with a known key.
   * @param status what the client was answered; 499 where it went away before
   * @param latencyMs from the request's head to the answer's end
   */
  record(ctx: RequestContext, status: number, latencyMs: number): void {
    const { key, route } = ctx;
    if (key === null || route?.kind !== 'gateway') return;
    // A client that went away was answered nothing (D33).
    const failed = status >= 400 && !ctx.abandoned;
    if (ctx.admitted) {
      // The instant that quota counted it at, so that usage and quota agree on its day and month.
      const atMs = ctx.figures === null ? this.clock.now() : ctx.figures.nowMs;
      this.pending.usage.add(key.id, atMs, usageModel(ctx.model), failed, ctx.usage ?? NO_USAGE);
      this.pending.lastUse.note(key.id, atMs, key.lastUsedAtMs);
    }
    if (isSampled(ctx.requestId, this.config.logSampleRate)) {
      this.pending.samples.push(requestRowOf(ctx, key.id, route.endpoint, status, latencyMs));
    } else if (failed && this.hasRoomForRefusal()) {
      this.pending.refusals.push(requestRowOf(ctx, key.id, route.endpoint, status, latencyMs));
    }
  }

  private hasRoomForRefusal(): boolean {
    const second = Math.floor(this.clock.now() / 1000);
    if (second !== this.second) {
      this.second = second;
      this.refusalsThisSecond = 0;
    }
    this.refusalsThisSecond += 1;
    if (this.refusalsThisSecond <= REFUSALS_PER_SECOND_MAX) return true;
    this.leftOut += 1;
    return false;
  }
}
