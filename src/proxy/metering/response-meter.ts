import type { RequestContext } from '../../platform/request-context/request-context.js';
import { formatByShape, formatOf, type ResponseFormat } from './response-format.js';
import type { ResponseFactsReader } from './response-facts.js';
import { NOTHING_REPORTED, type MeteredReport, type ReportedError } from './response-report.js';
import { bufferedReport } from './buffered-usage.js';
import { DetailFigures, wordOf } from './detail-figures.js';
import type { ResponseCapture } from './estimate/response-capture.js';
import type { Estimate, EstimateJob, Side } from './estimate/estimate-job.js';
import { NOTHING_REQUESTED, requestedUnits, type RequestedUnits } from './requested-units.js';
import { detailsOf } from './usage-details.rules.js';
import type { UsageReader } from './usage-formats.data.js';
import type { UsageProof } from '../../platform/request-context/reservation.js';
import { NO_DETAILS, NO_USAGE, type TokenUsage } from '../../platform/request-context/token-usage.js';
import { isPathId } from '../../platform/routes/path-id.rules.js';
import { QUOTE } from '../../platform/json/bytes.js';
import { decodeString, endOfString, fieldAt, skipSpace } from '../../platform/json/json-scan.js';
import { documentsIn } from '../../platform/event-stream/documents-in.js';
import { jsonIn } from '../../platform/json/parse-json.js';
import { isObject } from '../../platform/validation/check.js';
import { UsageExtractor } from './usage-extractor.js';

interface MeterOptions {
  readonly estimator: Estimator;
  /** Called once if a response with a success status contains an error. */
  readonly onError: (error: ReportedError) => void;
  /** Only sampled traces need the facts. */
  readonly facts?: ResponseFactsReader | null;
  /** The response is a stream whose usage was not requested. */
  readonly usageHidden?: boolean;
  /** The object whose usage the response reports. The usage then belongs to the request that created the object. */
  readonly usageOfObject?: string | null;
}

/** Counts the tokens that a response does not report. */
export interface Estimator {
  capture(): ResponseCapture;
  estimate(job: EstimateJob, holder: string): Promise<Estimate>;
}

/**
 * Meters the usage of one response. `ctx.usage` gets the reported tokens, and `ctx.usageDetails` everything else that has a
 * price. If input or output is missing and the reader allows estimates, `ctx.estimate` gets the total with the missing side
 * counted (D14).
 *
 * Create it before `releaseJson`, because it takes the units that the request asks for from the parsed body.
 * Call `buffered()` once, or `startStream()`, `push()` for each chunk, and `end()`. Set `ctx.upstream.sentWhole` before
 * `buffered()` or `end()`; only the first of these calls has an effect.
 */
export class ResponseMeter {
  private extractor: UsageExtractor | null = null;
  private contentType = '';
  private readable = false;
  private captured: ResponseCapture | null = null;
  private format: ResponseFormat = 'json';
  private settled = false;
  private tail: StreamTail | null = null;
  private headerTier: string | null = null;
  private readonly facts: ResponseFactsReader | null;
  private readonly requested: RequestedUnits;
  private readonly object: CreatedObject | null;
  private readonly countsCalls: boolean;

  constructor(
    private readonly ctx: RequestContext,
    private readonly reader: UsageReader,
    private readonly options: MeterOptions,
  ) {
    this.facts = options.facts ?? null;
    this.requested = requestedUnits(ctx);
    this.object = this.requested.later ? new CreatedObject() : null;
    this.countsCalls = reader.toolCalls === true && this.requested.hostedTools;
  }

  /** Notes the service tier that a response header states. A tier in the body takes precedence. */
  noteHeaderTier(tier: unknown): void {
    this.headerTier = wordOf(tier);
  }

  /** Call it before the first `push`. @param contentType empty if the response has none */
  startStream(contentType: string): void {
    this.contentType = contentType;
    this.readable = this.reader.maybeMedia !== true || contentType === '' || formatOf(contentType) !== null;
    if (this.reader.estimates === 'request and response') this.captured = this.options.estimator.capture();
    if (this.facts !== null) this.tail = new StreamTail();
  }

  /** Takes a few hundred nanoseconds for a chunk without usage. */
  push(chunk: Buffer): void {
    if (this.readable) {
      this.extractor ??= this.open(chunk);
      this.extractor?.push(chunk);
    }
    this.captured?.push(chunk);
    this.tail?.push(chunk);
    this.object?.push(chunk);
  }

  /** Chooses the format by the first bytes. @returns null while they do not show it */
  private open(chunk: Buffer): UsageExtractor | null {
    const format = formatByShape(chunk, this.contentType);
    if (format === null) return null;
    this.format = format;
    return new UsageExtractor(this.reader, format, this.facts, this.countsCalls);
  }

  /** @param whole false if the client or the upstream ended the response early, possibly before its first byte */
  end(whole: boolean): void {
    const { extractor, captured } = this;
    this.extractor = null;
    captured?.release();
    const report = extractor === null ? NOTHING_REPORTED : extractor.end(whole);
    if (this.facts !== null && this.format !== 'json') this.tail?.readInto(this.facts, this.format);
    const ofObject = this.options.usageOfObject ?? null;
    // A stream reports usage at its end.
    if (ofObject !== null) return this.settleObject(ofObject, report, null);
    this.ctx.usageProof ??= this.proofOf(report, whole);
    this.settle(report, captured === null ? null : { bytes: captured.bytes, totalBytes: captured.totalBytes });
  }

  /** @param body if `whole` is false, the part that had arrived, possibly empty */
  buffered(body: Buffer, whole = true): void {
    this.format = formatByShape(body) ?? 'json';
    this.object?.buffered(body);
    const report = whole ? bufferedReport(body, this.reader, this.countsCalls) : NOTHING_REPORTED;
    // Responses without an output have neither a finish reason nor an ID.
    if (whole && this.reader.output.length > 0) this.facts?.readWhole(body);
    // The provider generates the whole response before it begins to send it.
    const ofObject = this.options.usageOfObject ?? null;
    if (ofObject !== null) return this.settleObject(ofObject, report, whole ? statusIn(body) : null);
    this.ctx.usageProof ??= whole ? this.proofOf(report, whole) : 'unknown';
    this.settle(report, { bytes: body, totalBytes: body.length });
  }

  private proofOf({ reported: { report, running } }: MeteredReport, whole: boolean): UsageProof {
    const { reader, options } = this;
    if (report !== null && (whole || !running) && (report.output !== null || reader.output.length === 0))
      return 'reported';
    if (reader.maybeMedia === true) return whole ? 'unmeasured' : 'unknown';
    return whole && options.usageHidden === true ? 'unknown' : 'delivered';
  }

  /** @param status of the object in a complete JSON response. Null for a stream */
  private settleObject(objectId: string, { usage, error, reported }: MeteredReport, status: string | null): void {
    if (this.settled) return;
    this.settled = true;
    const { ctx, reader } = this;
    // A stored object can contain the error of an earlier request.
    if (error !== null && ctx.method === 'POST') this.options.onError(error);
    const isReported = reported.report !== null;
    if (status === 'failed' && !isReported) {
      ctx.laterUsage = { objectId, usage: NO_USAGE, details: null };
      return;
    }
    if (status === null ? !isReported : !COMPLETE.has(status)) return;
    // A video has seconds instead of tokens.
    const isVideo = reader.input.length === 0;
    if (!isVideo && !isReported) return;
    const requested: RequestedUnits = isVideo
      ? { ...NOTHING_REQUESTED, unreported: ['video_seconds'] }
      : NOTHING_REQUESTED;
    const details = detailsOf(reported.figures, reported.report, reader, requested) ?? NO_DETAILS;
    const serviceTier = this.isBatch ? 'batch' : details.serviceTier;
    ctx.laterUsage = { objectId, usage, details: { ...details, serviceTier, unmeasured: null } };
  }

  private get isBatch(): boolean {
    return this.ctx.route?.kind === 'gateway' && this.ctx.route.endpoint.startsWith('/v1/batches');
  }

  private settle({ usage, error, reported }: MeteredReport, response: Side | null): void {
    if (this.settled) return;
    this.settled = true;
    const { ctx } = this;
    ctx.usage = usage;
    // The error replaces the response. As for an error status, only the usage that it reports is recorded.
    const replaced = error !== null && this.format === 'json';
    const requested = replaced || !ctx.upstream.sentWhole ? NOTHING_REQUESTED : this.requested;
    const figures = withTier(reported.figures, this.headerTier);
    ctx.usageDetails = detailsOf(figures, reported.report, this.reader, requested);
    if (error !== null) this.options.onError(error);
    const isAwaited = requested.later && (ctx.usageDetails?.unmeasured ?? null) !== null;
    if (isAwaited) ctx.awaitedObject = this.object?.id ?? null;
    if (!replaced && !isAwaited) this.estimateMissing(usage, response);
  }

  private estimateMissing(usage: TokenUsage, response: Side | null): void {
    const { ctx } = this;
    const sides = sidesToEstimate(usage, ctx.upstream.sentWhole, this.reader.estimates);
    // Limits count the output that arrived if a report contains less. The record keeps the report (D14).
    const countsDelivered = ctx.usageProof === 'delivered' && ctx.reservation?.countsUsage === true;
    const request = sides.request && ctx.body.bytes !== null ? copyOf(ctx.body.bytes, ctx.body.bytes.length) : null;
    const output = sides.response || countsDelivered ? response : null;
    if (request === null && output === null) return;
    const job: EstimateJob = {
      model: ctx.model,
      request,
      response: output === null ? null : { ...copyOf(output.bytes, output.totalBytes), format: this.format },
    };
    const estimate = this.options.estimator.estimate(job, ctx.key?.id ?? '');
    ctx.estimate = estimate.then(({ input, output: tokens, choices = 1 }) => ({
      inputTokens: usage.inputTokens + input,
      outputTokens: sides.response ? usage.outputTokens + tokens : usage.outputTokens,
      provenance: sides.request || sides.response ? provenanceOf(usage) : usage.provenance,
      ...(countsDelivered && { delivered: { tokens, choices } }),
    }));
  }
}

function withTier(reported: DetailFigures | null, tier: string | null): DetailFigures | null {
  if (tier === null) return reported;
  const figures = reported ?? new DetailFigures();
  figures.serviceTier ??= tier;
  figures.some = true;
  return figures;
}

const COMPLETE: ReadonlySet<string> = new Set(['completed', 'incomplete', 'cancelled', 'expired', 'failed']);

function statusIn(body: Buffer): string | null {
  const at = fieldAt(body, skipSpace(body, 0), 'status');
  return at === -1 ? '' : textAt(body, at);
}

function textAt(body: Buffer, at: number): string {
  const end = body[at] === QUOTE ? endOfString(body, at) : -1;
  return end === -1 || end - at > OBJECT_ID_BYTES_MAX ? '' : (decodeString(body, at, end) ?? '');
}

const OBJECT_ID_BYTES_MAX = 256;
/** A stream names its object in the first events. */
const HEAD_BYTES = 16 * 1024;
const STREAMED_ID = /"id"\s*:\s*"((?:resp|run)_[\w.-]{1,200})"/;

/** Finds the ID of the object that a request has created, under which its usage arrives later. */
class CreatedObject {
  id: string | null = null;
  private head = '';

  buffered(body: Buffer): void {
    const at = fieldAt(body, skipSpace(body, 0), 'id');
    const id = at === -1 ? '' : textAt(body, at);
    if (isPathId(id)) this.id = id;
  }

  push(chunk: Buffer): void {
    if (this.id !== null || this.head.length >= HEAD_BYTES) return;
    this.head += chunk.toString('latin1', 0, HEAD_BYTES - this.head.length);
    this.id = STREAMED_ID.exec(this.head)?.[1] ?? null;
  }
}

/** Returns which of input and output is missing or reported as 0, if the route allows estimates and the whole request was sent (D14). */
function sidesToEstimate(
  usage: TokenUsage,
  sentWhole: boolean,
  estimates: UsageReader['estimates'],
): { readonly request: boolean; readonly response: boolean } {
  if (usage.provenance === 'reported' || !sentWhole || estimates === 'nothing')
    return { request: false, response: false };
  return {
    request: usage.inputTokens === 0,
    response: usage.outputTokens === 0 && estimates === 'request and response',
  };
}

const provenanceOf = ({ provenance }: TokenUsage): TokenUsage['provenance'] =>
  provenance === 'partial' ? 'partial' : 'estimated';

// A view would keep its entire buffer in memory, and copy it to the other thread.
const copyOf = (bytes: Uint8Array, totalBytes: number): Side => ({ bytes: new Uint8Array(bytes), totalBytes });

/** The last few events of a chat stream: the finish reason, the usage, and the end. */
const TAIL_BYTES = 4096;

interface Chunk {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly choices?: readonly ({ readonly index?: unknown; readonly finish_reason?: unknown } | null)[];
}

/**
 * The end of a stream whose trace is sampled. Chat streams name the finish reason in an event without usage, which the usage
 * reader skips. Reading every event for it would cost more than copying.
 */
class StreamTail {
  private readonly kept = Buffer.allocUnsafe(2 * TAIL_BYTES);
  private keptBytes = 0;

  /** Copies the end of `chunk`, because a slice would keep the socket's whole buffer in memory. */
  push(chunk: Buffer): void {
    const from = Math.max(0, chunk.length - TAIL_BYTES);
    const bytes = chunk.length - from;
    if (this.keptBytes + bytes > this.kept.length) {
      this.kept.copyWithin(0, this.keptBytes - TAIL_BYTES, this.keptBytes);
      this.keptBytes = TAIL_BYTES;
    }
    this.keptBytes += chunk.copy(this.kept, this.keptBytes, from);
  }

  /** Notes the facts in the last 4 KiB. */
  readInto(facts: ResponseFactsReader, format: ResponseFormat): void {
    const tail = this.kept.subarray(Math.max(0, this.keptBytes - TAIL_BYTES), this.keptBytes);
    for (const chunk of documentsIn(tail, format, parsedChunk)) noteChunk(chunk, facts);
  }
}

function noteChunk({ id, model, choices }: Chunk, facts: ResponseFactsReader): void {
  facts.note('id', id);
  facts.note('model', model);
  if (!Array.isArray(choices)) return;
  for (const choice of choices as NonNullable<Chunk['choices']>)
    facts.note('finish', choice?.finish_reason, typeof choice?.index === 'number' ? choice.index : 0);
}

/** Returns null for a line that was cut at the start of the tail. */
function parsedChunk(data: Buffer): Chunk | null {
  const chunk = jsonIn(data.toString());
  return isObject(chunk) ? chunk : null;
}
