import type { RequestContext } from '../../request-context/request-context.js';
import { NO_USAGE, type TokenUsage } from '../../request-context/token-usage.js';
import type { AnswerCapture } from './estimate/answer-capture.js';
import type { Estimate, EstimateJob, Side } from './estimate/estimate-job.js';
import { sidesToEstimate } from './estimate/estimated-sides.rules.js';
import { formatByLook, formatOf, type AnswerFormat } from './answer-format.js';
import { TailUsage } from './tail-usage.js';
import type { StreamUsageReader, UsageReader } from './usage-reader.js';

/** Counts where nothing was reported: `TokenEstimator`. */
export interface Estimator {
  capture(): AnswerCapture;
  estimate(job: EstimateJob, holder: string): Promise<Estimate>;
}

/**
 * What one answer cost: `ctx.usage` is what it reports, and where that lacks something `ctx.estimate` is the whole of it, with the
 * missing side counted, on routes whose reader says so (D14). Either `buffered()`, or `startStream()`, `push()` for each chunk
 * and `end()`; after `ctx.sentWhole` has been set.
 */
export class AnswerMeter {
  private tap: StreamUsageReader | null = null;
  private contentType = '';
  private captured: AnswerCapture | null = null;
  private format: AnswerFormat = 'json';

  constructor(
    private readonly ctx: RequestContext,
    private readonly reader: UsageReader,
    private readonly estimator: Estimator,
  ) {}

  /** The answer is passed on as it comes. */
  startStream(contentType: string): void {
    this.contentType = contentType;
    this.tap = this.open(formatOf(contentType));
    if (this.reader.estimates === 'request and answer') this.captured = this.estimator.capture();
  }

  /** Some hundred nanoseconds for a chunk without a report. */
  push(chunk: Buffer): void {
    this.tap ??= this.open(formatByLook(chunk));
    this.tap?.push(chunk);
    this.captured?.push(chunk);
  }

  private open(format: AnswerFormat | null): StreamUsageReader | null {
    if (format === null) return null;
    this.format = format;
    return format === 'json' ? new TailUsage(this.reader) : this.reader.stream(this.contentType);
  }

  /** Once. `whole` false: it was cut, by the client or by the upstream, maybe before it began. */
  end(whole: boolean): void {
    const { tap, captured } = this;
    this.tap = null;
    captured?.release();
    const usage = tap === null ? NO_USAGE : tap.end(whole);
    this.settle(usage, captured === null ? null : { bytes: captured.bytes, totalBytes: captured.totalBytes });
  }

  /** A JSON answer that was held: whole, or what had come of it when the client went away, which may be nothing. */
  buffered(body: Buffer, whole = true): void {
    const usage = whole ? this.reader.buffered(body) : NO_USAGE;
    this.settle(usage, { bytes: body, totalBytes: body.length });
  }

  private settle(usage: TokenUsage, answer: Side | null): void {
    const { ctx } = this;
    ctx.usage = usage;
    const sides = sidesToEstimate(usage, ctx.sentWhole, this.reader.estimates);
    const request = sides.request && ctx.body !== null ? copyOf(ctx.body, ctx.body.length) : null;
    const output = sides.answer ? answer : null;
    if (request === null && output === null) return;
    const job: EstimateJob = {
      model: ctx.model,
      request,
      answer: output === null ? null : { ...copyOf(output.bytes, output.totalBytes), format: this.format },
    };
    ctx.estimate = this.estimator.estimate(job, ctx.key?.id ?? '').then(({ input, output }) => ({
      inputTokens: usage.inputTokens + input,
      outputTokens: usage.outputTokens + output,
      provenance: usage.provenance === 'partial' ? 'partial' : 'estimated',
    }));
  }
}

// Of its own size: a view would take the whole memory behind it along to the other thread.
const copyOf = (bytes: Uint8Array, totalBytes: number): Side => ({ bytes: new Uint8Array(bytes), totalBytes });
