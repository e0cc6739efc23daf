import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { Guarded } from '../platform/errors/guarded.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import { dropEchoes } from '../upstream/credential-headers.js';
import { forwardedResponseHeaders } from '../upstream/header-allowlists.js';
import type { ObjectCapture } from '../upstream/routing/objects/object-capture.js';
import type { UpstreamExchange, UpstreamSink } from '../upstream/upstream-exchange.js';
import { notConvertible } from '../upstream/upstream-failure.js';
import type { ResponseOptions, ResponseConverter, StreamConverter } from './forward-plan.js';
import { ClientWriter } from './client-writer.js';
import { ResponseEnding } from './response-ending.js';
import { canBeHeld, HELD_BYTES_MAX, HeldResponse } from './held-response.js';
import { refusedConversion, UpstreamRefusal } from './upstream-refusal.js';
import { formatOf, isEventStream } from './metering/response-format.js';
import { modelToShow } from './metering/model-scan.js';
import { redactWhole, ResponseRedaction } from './redaction/response-redaction.js';

const NOTHING = Buffer.alloc(0);
/** Held responses are scanned here, one at a time. Allocating memory for each one cost as much as sending it. */
const scanMemory = Buffer.allocUnsafeSlow(HELD_BYTES_MAX);

/**
 * Sends an upstream response to the client: held until it is complete, forwarded as it arrives, or turned into an error. The exchange
 * handles exceptions of `onHead` and `onData`. All other events, such as those of timers and of the client, arrive in guarded methods.
 */
export class ForwardedResponse extends ResponseEnding implements UpstreamSink {
  private streams = false;

  private readonly sentAtMs = performance.now();
  private writer!: ClientWriter;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private held: HeldResponse | null = null;
  private unbuffered = false;
  /** The body is sent while it arrives. */
  private forwards = false;
  private refusal: UpstreamRefusal | null = null;
  private conversion: StreamConverter | null = null;
  private capture: ObjectCapture | null = null;

  constructor(
    private readonly ctx: RequestContext,
    private readonly options: ResponseOptions,
  ) {
    super(options.reply);
    options.upload?.once('failed', (error: GatewayError) => this.onError(error));
  }

  onStart(exchange: UpstreamExchange): void {
    this.exchange = exchange;
    this.ctx.onEnd(() => this.onResponseClosed());
    const { reply, stuckClientMs } = this.options;
    this.writer = new ClientWriter(reply, exchange, { stuckMs: stuckClientMs }, this);
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.ctx.upstream.latencyMs = this.ctx.upstream.waitMs = performance.now() - this.sentAtMs;
    dropEchoes(headers, this.options.secrets);
    this.status = status;
    this.headers = headers;
    if (status < 300 && this.options.captureObjects !== null) this.capture = this.options.captureObjects();
    if (status >= 300) this.refusal = new UpstreamRefusal(status, headers, this.options, this);
    else if (canBeHeld(this.ctx, headers, this.options)) this.held = new HeldResponse(() => this.forwardBlanks());
    else if (this.options.converter !== null) this.startConverting(this.options.converter);
    else this.startForwarding();
  }

  onData(chunk: Buffer): void {
    if (this.settled) return;
    if (this.refusal !== null) this.refusal.push(chunk);
    else if (this.held !== null) this.hold(chunk, this.held);
    else this.forward(chunk);
  }

  @Guarded
  onEnd(): void {
    if (this.settled) return;
    const { refusal, held } = this;
    if (refusal === null && held === null) return this.after(this.capture?.end(), () => this.endForwarding());
    this.noteWait();
    refusal?.end();
    if (held === null) return;
    this.after(this.capture?.buffered(held.whole()), () => this.writeHeld(held));
  }

  @Guarded
  onError(error: GatewayError): void {
    if (this.settled) return;
    this.noteWait();
    // The status is known, so the client gets this error response even if its body is incomplete.
    if (this.refusal !== null) this.refusal.end();
    else this.fail(error);
  }

  /** Delays `work` until the record is stored, because the client's next request can depend on it. */
  private after(recorded: Promise<void> | null | undefined, work: () => void): void {
    if (!recorded) return work();
    void recorded.then(() => this.onRecorded(work));
  }

  @Guarded
  private onRecorded(work: () => void): void {
    if (!this.settled) work();
  }

  @Guarded
  onRefusalTimeout(): void {
    this.refusal?.end();
  }

  @Guarded
  private onResponseClosed(): void {
    if (this.settled) return;
    this.ctx.response.cutByClient = true;
    this.abandon();
  }

  /** The provider charges for a response even if it does not arrive completely. */
  protected meterCut(): void {
    const { meter } = this.options;
    if (this.refusal !== null) return;
    if (this.status === 0 || this.forwards) meter?.end(false);
    else meter?.buffered(this.held?.whole() ?? NOTHING, false);
  }

  /** Only limits count such a response. Nothing is recorded for a 502 (D14). */
  protected noteLost(): void {
    if (this.status !== 0 && this.refusal === null) this.ctx.usageProof ??= 'unknown';
  }

  protected cut(): void {
    this.writer.cut();
  }

  protected release(failure: string | null): void {
    if (this.streams) this.options.streams.open -= 1;
    this.refusal?.stop();
    this.held?.stop();
    this.options.upload?.stop();
    this.ctx.upstream.sentWhole = this.exchange?.sentWhole === true;
    this.ctx.trace?.endUpstream(this.status === 0 ? null : this.status, failure);
  }

  private hold(chunk: Buffer, held: HeldResponse): void {
    // After the headers are sent, only a converted response is held. Forwarded whitespace needs no memory.
    if (this.headSent && held.isStillBlank(chunk)) return this.write(chunk);
    held.push(chunk);
    if (!held.tooLong) return;
    if (this.options.converter === null) return this.forwardHeld(held);
    const failure = held.takeMemory(this.options.conversions, this.options.reply.raw);
    if (failure === null) return;
    this.held = null;
    this.fail(failure);
  }

  private forwardHeld(held: HeldResponse): void {
    this.held = null;
    this.noteWait();
    this.startForwarding();
    for (const piece of held.all()) this.forward(piece);
  }

  /** Keeps the client's connection alive with the headers and the whitespace that has arrived (D4). */
  @Guarded
  private forwardBlanks(): void {
    const { held } = this;
    if (held === null || this.settled) return;
    this.unbuffered = true;
    if (this.options.converter === null) return this.forwardHeld(held);
    this.noteWait();
    this.ctx.response.bodyFollows = true;
    this.writeHead(undefined);
    for (const piece of held.all()) this.write(piece);
  }

  private writeHeld(held: HeldResponse): void {
    const { converter } = this.options;
    const body = held.whole(converter === null ? scanMemory : undefined);
    if (converter === null) return this.writeWhole(body, held.all());
    // Only the converted response stays in memory while a slow client reads it.
    this.held = null;
    const converted = this.converted(body, converter);
    if (converted !== null) this.writeWhole(body, converted);
  }

  /** @param sent the bytes of `body`, which is the upstream's original, or of its conversion */
  private writeWhole(body: Buffer, sent: readonly Buffer[]): void {
    const { isFile, converter } = this.options;
    const isConverted = converter !== null;
    const pieces = isFile ? sent : redactWhole(body, { pieces: sent, isConverted }, this.options.credentials());
    const length = pieces.reduce((bytes, piece) => bytes + piece.length, 0);
    this.ctx.stream = false;
    this.ctx.upstream.responseModel = modelToShow(body, this.options.secrets);
    const metered = !this.headSent && this.priceFirst(body);
    if (!this.headSent) this.writeHead(this.status === 204 ? undefined : String(length));
    this.writer.endRedacted(pieces);
    this.settle(null);
    // Metered last, so that the response does not wait for it.
    if (!metered) this.options.meter?.buffered(body);
    this.finish();
  }

  /** Meters the response before its headers if one of them shows the cost. */
  private priceFirst(body: Buffer): boolean {
    const { meter, costOf } = this.options;
    if (meter === null || costOf === null) return false;
    this.ctx.upstream.sentWhole = this.exchange?.sentWhole === true;
    meter.buffered(body);
    this.ctx.response.cost = costOf(this.ctx);
    return true;
  }

  /** Null if the response cannot be converted. It has then failed. */
  private converted(body: Buffer, converter: ResponseConverter): readonly Buffer[] | null {
    try {
      return converter.buffered(body);
    } catch (error) {
      // The provider charges for it anyway.
      this.options.meter?.buffered(body);
      const { status, headers, options } = this;
      this.fail(refusedConversion(error, body, { status, headers }, options.secrets));
      return null;
    }
  }

  private startForwarding(): void {
    this.forwards = true;
    if (this.contentType === '' || isEventStream(this.contentType)) this.conversion ??= this.options.streamFilter;
    this.options.meter?.startStream(this.contentType);
    this.ctx.stream ||= isEventStream(this.contentType);
    this.unbuffered ||= this.ctx.stream;
    this.ctx.response.bodyFollows = true;
    if (isEventStream(this.contentType)) {
      this.streams = true;
      this.options.streams.open += 1;
    }
    // RFC 9110 8.6: a 204 has no `content-length`, but a provider can send one.
    const keepsLength = this.conversion === null && this.status !== 204;
    const length = keepsLength ? this.headers['content-length'] : undefined;
    if (!this.options.isFile)
      this.writer.redactWith(new ResponseRedaction(this.options.credentials(), this.contentType, length !== undefined));
    this.writeHead(length);
    // With a `content-length`, the body follows immediately. A stream's first event can be minutes away (D5).
    if (length === undefined) this.writer.flushHead();
  }

  private startConverting(converter: ResponseConverter): void {
    if (this.contentType !== '' && !isEventStream(this.contentType) && formatOf(this.contentType) !== 'ndjson')
      return this.fail(notConvertible(new Error(this.contentType)));
    this.conversion = converter.stream(this.contentType);
    this.startForwarding();
  }

  private forward(chunk: Buffer): void {
    this.options.meter?.push(chunk);
    this.capture?.chunk(chunk);
    if (this.conversion === null) this.write(chunk);
    else this.convert((conversion) => conversion.push(chunk));
  }

  private endForwarding(): void {
    this.convert((conversion) => conversion.end());
    if (this.settled) return;
    // Settled afterwards, so that an exception still ends the response.
    this.writer.end();
    this.settle(null);
    this.options.meter?.end(true);
    this.finish();
  }

  private convert(step: (conversion: StreamConverter) => readonly Buffer[]): void {
    if (this.conversion === null) return;
    try {
      for (const piece of step(this.conversion)) this.write(piece);
    } catch (error) {
      this.fail(notConvertible(error));
    }
  }

  private write(chunk: Buffer): void {
    this.ctx.response.firstByteAtMs ??= performance.now();
    this.writer.write(chunk);
  }

  /** Counts the time until now as waiting for the upstream, unless the headers exist. */
  private noteWait(): void {
    if (this.ctx.response.headAtMs === null) this.ctx.upstream.waitMs = performance.now() - this.sentAtMs;
  }

  private finish(): void {
    this.options.upload?.discardRest();
    this.complete();
  }

  private writeHead(contentLength: string | undefined): void {
    const { unbuffered, options } = this;
    const own = this.ctx.response.ownHeaders?.() ?? [];
    if (unbuffered) own.push('x-accel-buffering', 'no');
    own.push(...forwardedResponseHeaders(this.headers, own, options.isFile));
    if (contentLength !== undefined) own.push('content-length', contentLength);
    this.writer.writeHead(this.status, own);
  }

  private get contentType(): string {
    return this.headers['content-type'] ?? '';
  }
}
