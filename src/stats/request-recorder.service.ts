import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config/config.js';
import { CostRecorder } from './cost-recorder.service.js';
import { ERROR_CODES } from '../platform/errors/error-code.data.js';
import { runGuarded } from '../platform/errors/guarded.js';
import { Outage } from '../quota/outage.service.js';
import { usedKinds } from '../costs/pricing/request-units.rules.js';
import type { PricedUsage } from '../costs/request-costs.service.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { ActualUsage, UsageProof } from '../platform/request-context/reservation.js';
import { NO_USAGE, type TokenUsage } from '../platform/request-context/token-usage.js';
import {
  PendingRecords,
  type RequestRowQueue,
  costColumns,
  requestRowOf,
  usageColumns,
  usageModel,
} from './pending-records.js';
import type { UsedTokens } from './usage-ledger.js';

/** Stands for errors without a code of the gateway, such as those of a provider. */
const OTHER_CODE = 'other';

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };

/** Records requests in memory. `StatsWriter` writes them to the database within a second. */
@Injectable()
export class RequestRecorder {
  private readonly refusals = new RefusalRate();
  private readonly firstRequests = new FirstRequests();
  private readonly failures = new Map<string, number>();
  private rejectedForSpace = 0;
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
    private readonly costs: CostRecorder,
  ) {}

  get refusalsLeftOut(): number {
    return this.refusals.leftOut;
  }

  /** Failed requests by error code, whether they were admitted or not. */
  get failed(): ReadonlyMap<string, number> {
    return this.failures;
  }

  get usageRefused(): number {
    return this.rejectedForSpace;
  }

  get recordedTokens(): Readonly<
    Record<'reported' | 'estimated' | 'partial', { readonly input: number; readonly output: number }>
  > {
    return this.tokens;
  }

  /** False only if a long database outage has filled the buffer and it has no row for the key. Admission then rejects, and `usageRefused` counts it. */
  takes(keyId: string): boolean {
    if (this.pending.usage.takes(keyId)) return true;
    this.rejectedForSpace += 1;
    return false;
  }

  /**
   * Records a finished request. Must be called once per request, whether it was served, rejected or aborted. It never throws and
   * takes some microseconds.
   *
   * - Usage and last use are recorded for admitted requests.
   * - Failed requests are counted by error code, even without a known key.
   * - Samples, refusals and the first requests of a new key are recorded for requests under /v1 with a known key.
   *
   * If the tokens are still being estimated, the record follows later. It does not hold the request's bodies until then.
   * @param status of the response, or 499 if the client disconnected first
   * @param latencyMs from the request headers to the end of the response
   */
  record(ctx: RequestContext, status: number, latencyMs: number): void {
    const { key, route } = ctx;
    if (route?.kind !== 'gateway') return;
    const failed = countsAsError(status, ctx.response.abandoned, ctx.response.errorReported);
    if (failed) this.countFailure(ctx);
    if (key === null) return;
    // The time at which admission counted the request, so that usage and quota agree on its day and month.
    const atMs = ctx.figures === null ? this.clock.now() : ctx.figures.nowMs;
    if (ctx.admitted) {
      this.pending.lastUse.note(key.id, atMs, key.lastUsedAtMs);
      ctx.reservation?.releaseConcurrency();
    }
    const queue = this.queueFor(ctx.requestId, key, failed);
    let row = queue === null ? null : requestRowOf(ctx, { keyId: key.id, endpoint: route.endpoint, status, latencyMs });
    const { admitted } = ctx;
    if (admitted && ctx.laterUsage !== null && ctx.upstream.account !== null)
      this.pending.later.add({
        provider: ctx.upstream.account.name,
        responseModel: ctx.upstream.responseModel,
        ...ctx.laterUsage,
      });
    const model = usageModel(ctx.model);
    const reported = ctx.usage ?? NO_USAGE;
    const write = (usage: TokenUsage): void => {
      this.countTokens(usage);
      if (admitted) {
        const cost = this.costs.record(ctx, usage, { endpoint: route.endpoint, atMs, logged: row !== null });
        this.pending.usage.add(key.id, atMs, model, { ...usedTokens(reported, usage), failed, cost });
        ctx.reservation?.settle(ctx, cost === null ? null : this.actualUsage(ctx, cost.priced, usage));
        if (row !== null && cost !== null) row = { ...row, ...costColumns(cost) };
        this.outage.spend(key.id, usage.inputTokens + usage.outputTokens, cost?.additionalTokens ?? 0);
      }
      if (row !== null) queue?.push({ ...row, ...usageColumns(usage) });
    };
    if (ctx.estimate === null) write(reported);
    else this.writeLater(ctx.estimate, write);
  }

  /** Records the usage of a request that was admitted only after its client had disconnected. It counts toward the quota. */
  recordLate(ctx: RequestContext): void {
    const { key, figures, model, reservation } = ctx;
    reservation?.releaseConcurrency();
    reservation?.settle(ctx, null);
    if (key === null || figures === null) return;
    this.pending.lastUse.note(key.id, figures.nowMs, key.lastUsedAtMs);
    this.pending.usage.add(key.id, figures.nowMs, usageModel(model), { ...NO_TOKENS, failed: false });
  }

  /** Limits count the output that arrived if the report of an interrupted response contains less. */
  private actualUsage(ctx: RequestContext, priced: PricedUsage, usage: TokenUsage): ActualUsage {
    const { outputTokens, delivered } = usage;
    let counted = priced;
    if (delivered !== undefined && delivered.tokens > outputTokens) {
      const all = { ...usage, outputTokens: delivered.tokens };
      counted = this.costs.pricedOf(ctx, ctx.figures!.nowMs, all) ?? priced;
    }
    const { kinds, nanos, unpriced } = counted;
    const choices = delivered?.choices ?? 1;
    return {
      units: kinds.units,
      costNanodollars: nanos,
      hasUnpricedUsage: unpriced,
      choices,
      proof: proofOf(ctx, counted, outputTokens),
    };
  }

  private countFailure({ key, response, admitted }: RequestContext): void {
    const { errorCode } = response;
    const code = errorCode !== null && Object.hasOwn(ERROR_CODES, errorCode) ? errorCode : OTHER_CODE;
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
    this.pending.usage.fail(key?.id ?? null, this.clock.now(), code, admitted);
  }

  private countTokens({ provenance, inputTokens, outputTokens }: TokenUsage): void {
    if (provenance === 'none') return;
    const sums = this.tokens[provenance];
    sums.input += inputTokens;
    sums.output += outputTokens;
  }

  private writeLater(estimate: Promise<TokenUsage>, write: (usage: TokenUsage) => void): void {
    const written = estimate.then((usage) => runGuarded(() => write(usage)));
    this.pending.estimates.add(written);
    void written.then(() => this.pending.estimates.delete(written));
  }

  private queueFor(requestId: string, key: KeySnapshot, failed: boolean): RequestRowQueue | null {
    if (isSampled(requestId, this.config.logSampleRate)) return this.pending.samples;
    if (key.lastUsedAtMs === null && this.firstRequests.takes(key.id)) return this.pending.refusals;
    return failed && this.refusals.takes(this.clock.now()) ? this.pending.refusals : null;
  }
}

/** @param reported usage in the provider's response; the rest of a partial usage is estimated */
function usedTokens(reported: TokenUsage, { inputTokens, outputTokens, provenance }: TokenUsage): UsedTokens {
  const reportedTokens = provenance === 'estimated' ? 0 : reported.inputTokens + reported.outputTokens;
  const estimatedTokens = provenance === 'none' ? 0 : inputTokens + outputTokens - reportedTokens;
  return { inputTokens, outputTokens, estimatedTokens };
}

/** A provider can process a request although the client disconnects or the response is late. */
function proofOf(
  { upstream, response, usageProof }: RequestContext,
  { kinds, unpriced }: PricedUsage,
  outputTokens: number,
): UsageProof {
  if (!upstream.sentWhole) return 'reported';
  if (upstream.latencyMs === null) return response.abandoned ? 'abandoned' : 'unknown';
  // The provider reported an error before any output.
  if (response.errorReported && outputTokens === 0) return 'reported';
  // Images and characters that have a price are what the provider bills.
  if (usageProof === 'unmeasured' && !unpriced && usedKinds(kinds.units).length > 0) return 'reported';
  return usageProof ?? 'reported';
}

const RANDOM_DIGITS = 8;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

/** The decision depends only on the last random bits of the ID, so every process decides the same (D15). */
export function isSampled(requestId: string, rate: number): boolean {
  if (rate <= 0) return false;
  return Number.parseInt(requestId.slice(-RANDOM_DIGITS), 16) < rate * RANDOM_RANGE;
}

/** Counts a 4xx or 5xx status, or a 200 response with an error object (D33), unless the client disconnected before. */
const countsAsError = (status: number, abandoned: boolean, errorReported: boolean): boolean =>
  !abandoned && (status >= 400 || errorReported);

/** Rejected and failed requests that are recorded in addition to the sampled ones, per second and process (D15). */
export const REFUSALS_PER_SECOND_MAX = 50;

class RefusalRate {
  private second = 0;
  private countThisSecond = 0;
  private skipped = 0;

  get leftOut(): number {
    return this.skipped;
  }

  /** Counts a row. Returns false, and counts it as left out, if this second already has enough rows. */
  takes(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.second) {
      this.second = second;
      this.countThisSecond = 0;
    }
    this.countThisSecond += 1;
    if (this.countThisSecond <= REFUSALS_PER_SECOND_MAX) return true;
    this.skipped += 1;
    return false;
  }
}

/** Requests of a key without earlier use that are recorded in addition to the sampled ones, per process (D15). */
export const FIRST_REQUESTS_MAX = 10;
const NEW_KEYS_MAX = 10_000;

/** A key stays new until its stored last use is read again, so its requests are counted. */
class FirstRequests {
  /** Cleared when it is large. That costs redundant rows, but no correctness. */
  private readonly taken = new Map<string, number>();

  takes(keyId: string): boolean {
    const count = this.taken.get(keyId) ?? 0;
    if (count >= FIRST_REQUESTS_MAX) return false;
    if (count === 0 && this.taken.size >= NEW_KEYS_MAX) this.taken.clear();
    this.taken.set(keyId, count + 1);
    return true;
  }
}
