import type { RequestContext } from '../../request-context/request-context.js';
import { NO_USAGE, type TokenUsage } from '../../request-context/token-usage.js';
import { formatByLook, formatOf, type ResponseFormat } from './response-format.js';
import type { ReportedError } from './response-report.js';
import { bufferedReport } from './buffered-usage.js';
import type { ResponseCapture } from './estimate/response-capture.js';
import { sidesToEstimate, type Estimate, type EstimateJob, type Side } from './estimate/estimate-job.js';
import type { UsageReader } from './usage-formats.data.js';
import { UsageExtractor } from './usage-extractor.js';

/** Counts tokens that were not reported: `TokenEstimator`. */
export interface Estimator {
  capture(): ResponseCapture;
  estimate(job: EstimateJob, holder: string): Promise<Estimate>;
}

/**
 * The cost of one response. `ctx.usage` is what it reports. If that lacks a side, `ctx.estimate` is the whole cost with the
 * missing side counted, on routes whose reader asks for it (D14). Call either `buffered()`, or `startStream()`, `push()` for
 * each chunk and `end()`, after `ctx.upstream.sentWhole` has been set. Only the first `buffered()` or `end()` has an effect.
 */
export class ResponseMeter {
  private tap: UsageExtractor | null = null;
  private contentType = '';
  private readable = false;
  private captured: ResponseCapture | null = null;
  private format: ResponseFormat = 'json';
  private settled = false;

  /** @param onError called once if the response contains an error, although its status is a success */
  constructor(
    private readonly ctx: RequestContext,
    private readonly reader: UsageReader,
    private readonly estimator: Estimator,
    private readonly onError: (error: ReportedError) => void,
  ) {}

  /** The response is forwarded as it arrives. */
  startStream(contentType: string): void {
    this.contentType = contentType;
    this.readable = this.reader.maybeMedia !== true || contentType === '' || formatOf(contentType) !== null;
    if (this.reader.estimates === 'request and answer') this.captured = this.estimator.capture();
  }

  /** Takes some hundred nanoseconds for a chunk without a report. */
  push(chunk: Buffer): void {
    if (this.readable) {
      this.tap ??= this.open(chunk);
      this.tap?.push(chunk);
    }
    this.captured?.push(chunk);
  }

  private open(chunk: Buffer): UsageExtractor | null {
    const format = formatByLook(chunk, this.contentType);
    if (format === null) return null;
    this.format = format;
    return new UsageExtractor(this.reader, format);
  }

  /** Call once. `whole` false: it was cut, by the client or by the upstream, possibly before it began. */
  end(whole: boolean): void {
    const { tap, captured } = this;
    this.tap = null;
    captured?.release();
    const usage = tap === null ? NO_USAGE : tap.end(whole);
    const error = tap === null ? null : tap.error;
    this.settle(
      { usage, error },
      captured === null ? null : { bytes: captured.bytes, totalBytes: captured.totalBytes },
    );
  }

  /** A response that was held: all of it, or the part that had arrived when it was cut, which may be empty. */
  buffered(body: Buffer, whole = true): void {
    this.format = formatByLook(body) ?? 'json';
    const report = whole ? bufferedReport(body, this.reader) : { usage: NO_USAGE, error: null };
    this.settle(report, { bytes: body, totalBytes: body.length });
  }

  private settle({ usage, error }: { usage: TokenUsage; error: ReportedError | null }, answer: Side | null): void {
    if (this.settled) return;
    this.settled = true;
    const { ctx } = this;
    ctx.usage = usage;
    if (error !== null) this.onError(error);
    // The error takes the place of the response, so it costs as little as an error status.
    if (error !== null && this.format === 'json') return;
    const sides = sidesToEstimate(usage, ctx.upstream.sentWhole, this.reader.estimates);
    const request = sides.request && ctx.body.bytes !== null ? copyOf(ctx.body.bytes, ctx.body.bytes.length) : null;
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

// A view would keep all of the memory behind it, on the other thread too.
const copyOf = (bytes: Uint8Array, totalBytes: number): Side => ({ bytes: new Uint8Array(bytes), totalBytes });
