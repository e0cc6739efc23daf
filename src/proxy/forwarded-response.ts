import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { Guarded } from '../platform/errors/guarded.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import { dropEchoes, forwardedResponseHeaders } from '../upstream/response-headers.js';
import type { ObjectCapture } from '../upstream/routing/objects/object-capture.js';
import type { UpstreamExchange, UpstreamSink } from '../upstream/send-contract.js';
import { notConvertible } from '../upstream/upstream-failure.js';
import { ClientWriter } from './client-writer.js';
import type { ResponseConverter, ResponseOptions, StreamConverter } from './forward-plan.js';
import { canBeHeld, HeldResponse } from './held-response.js';
import { formatOf, isEventStream } from './metering/response-format.js';
import { redactWhole, ResponseRedaction } from './redaction/response-redaction.js';
import { ResponseEnding } from './response-ending.js';
import { modelToShow } from './response-model.js';
import { refusedConversion, UpstreamRefusal } from './upstream-refusal.js';

const NOTHING = Buffer.alloc(0);

/**
 * The state of the upstream's body. A `HeldResponse` is sent when it is complete, and `forwarded` bytes are sent while they arrive. The
 * memory of a `dropped` body is released.
 */
type Body = 'awaited' | UpstreamRefusal | HeldResponse | 'forwarded' | 'dropped';

/**
 * Sends an upstream response to the client, usually converted, redacted and metered on the way. The exchange handles exceptions of
 * `onHead` and `onData`. All other events, such as those of timers and of the client, arrive in guarded methods.
 */
export class ForwardedResponse extends ResponseEnding implements UpstreamSink {
  private readonly sentAtMs = performance.now();
  private writer!: ClientWriter;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private body: Body = 'awaited';
  private conversion: StreamConverter | null = null;
  private capture: ObjectCapture | null = null;
  /** Asks proxies in front of the gateway not to buffer the response. */
  private unbuffered = false;
  private isOpenStream = false;

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
    const { ctx, options } = this;
    ctx.upstream.latencyMs = ctx.upstream.waitMs = performance.now() - this.sentAtMs;
    dropEchoes(headers, options.secrets);
    this.status = status;
    this.headers = headers;
    if (status < 300) options.meter?.noteHeaderTier(headers['x-gemini-service-tier']);
    if (status < 300 && options.captureObjects !== null) this.capture = options.captureObjects();
    if (status >= 300) this.body = new UpstreamRefusal(status, headers, options, this);
    else if (canBeHeld(ctx, headers, options)) this.body = new HeldResponse(this);
    else if (options.attempt.converter !== null) this.startConverting(options.attempt.converter);
    else this.startForwarding();
  }

  onData(chunk: Buffer): void {
    if (this.settled) return;
    const { body } = this;
    if (body instanceof UpstreamRefusal) body.push(chunk);
    else if (body instanceof HeldResponse) this.hold(chunk, body);
    else this.forward(chunk);
  }

  @Guarded
  onEnd(): void {
    if (this.settled) return;
    const { body, capture } = this;
    if (body instanceof UpstreamRefusal) {
      this.noteWait();
      body.end();
    } else if (body instanceof HeldResponse) {
      this.noteWait();
      this.after(capture?.buffered(body.whole()), () => this.writeHeld(body));
    } else {
      this.after(capture?.end(), () => this.endForwarding());
    }
  }

  @Guarded
  onError(error: GatewayError): void {
    if (this.settled) return;
    this.noteWait();
    // The status is known, so the client gets this error response even if its body is incomplete.
    if (this.body instanceof UpstreamRefusal) this.body.end();
    else this.fail(error);
  }

  @Guarded
  onRefusalTimeout(): void {
    if (this.body instanceof UpstreamRefusal) this.body.end();
  }

  @Guarded
  private onResponseClosed(): void {
    if (this.settled) return;
    this.ctx.response.cutByClient = true;
    this.noteWait();
    this.abandon();
  }

  /** Delays `work` until the objects are recorded, because the client's next request can name them. */
  private after(recorded: Promise<void> | null | undefined, work: () => void): void {
    if (!recorded) return work();
    void recorded.then(() => this.onRecorded(work));
  }

  @Guarded
  private onRecorded(work: () => void): void {
    if (!this.settled) work();
  }

  /** Holds the chunk. A response that becomes too long is forwarded, or reserves memory for its conversion. */
  private hold(chunk: Buffer, held: HeldResponse): void {
    const { attempt, conversions, reply } = this.options;
    // After `onBlank`, only a converted response is still held. Its whitespace needs no memory.
    if (this.headSent && held.isStillBlank(chunk)) return this.write(chunk);
    held.push(chunk);
    if (!held.tooLong) return;
    if (attempt.converter === null) return this.forwardHeld(held);
    const failure = held.reserveMemory(conversions, reply.raw);
    if (failure === null) return;
    this.body = 'dropped';
    this.fail(failure);
  }

  /** Keeps the client's connection alive with the headers and the whitespace that has arrived (D4). */
  @Guarded
  onBlank(): void {
    const { body: held } = this;
    if (this.settled || !(held instanceof HeldResponse)) return;
    this.unbuffered = true;
    if (this.options.attempt.converter === null) return this.forwardHeld(held);
    this.noteWait();
    this.ctx.response.bodyFollows = true;
    this.writeHead(undefined);
    for (const piece of held.chunks()) this.write(piece);
  }

  /** Stops holding: the chunks so far are forwarded, and later ones as they arrive. */
  private forwardHeld(held: HeldResponse): void {
    this.noteWait();
    this.startForwarding();
    for (const piece of held.chunks()) this.forward(piece);
  }

  /** Sends a held response that is complete. */
  private writeHeld(held: HeldResponse): void {
    const { converter } = this.options.attempt;
    if (converter === null) return this.writeWhole(held.wholeInSharedMemory(), held.chunks());
    const body = held.whole();
    // Only the converted response stays in memory while a slow client reads it.
    this.body = 'dropped';
    const converted = this.converted(body, converter);
    if (converted !== null) this.writeWhole(body, converted);
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

  /** @param sent the bytes of `body`, which is the upstream's original, or of its conversion */
  private writeWhole(body: Buffer, sent: readonly Buffer[]): void {
    const { ctx, options } = this;
    const isConverted = options.attempt.converter !== null;
    const pieces = options.isFile ? sent : redactWhole(body, { pieces: sent, isConverted }, options.credentials());
    const length = pieces.reduce((bytes, piece) => bytes + piece.length, 0);
    ctx.stream = false;
    ctx.upstream.responseModel = modelToShow(body, options.secrets);
    const isMetered = !this.headSent && this.priceFirst(body);
    if (!this.headSent) this.writeHead(this.status === 204 ? undefined : String(length));
    this.writer.endRedacted(pieces);
    this.settle(null);
    // Metered last, so that the response does not wait for it.
    if (!isMetered) options.meter?.buffered(body);
    this.finish();
  }

  /** Meters the response before its headers if one of them shows the cost. @returns whether it was metered */
  private priceFirst(body: Buffer): boolean {
    const { meter, costOf } = this.options;
    if (meter === null || costOf === null) return false;
    this.ctx.upstream.sentWhole = this.exchange?.sentWhole === true;
    meter.buffered(body);
    this.ctx.response.cost = costOf(this.ctx);
    return true;
  }

  private startConverting(converter: ResponseConverter): void {
    const { contentType } = this;
    if (contentType !== '' && !isEventStream(contentType) && formatOf(contentType) !== 'ndjson')
      return this.fail(notConvertible(new Error(contentType)));
    this.conversion = converter.stream(contentType);
    this.startForwarding();
  }

  private startForwarding(): void {
    this.body = 'forwarded';
    const { ctx, options, contentType } = this;
    const isStream = isEventStream(contentType);
    if (contentType === '' || isStream) this.conversion ??= options.streamFilter;
    options.meter?.startStream(contentType);
    ctx.stream ||= isStream;
    this.unbuffered ||= ctx.stream;
    ctx.response.bodyFollows = true;
    this.isOpenStream = isStream;
    if (isStream) options.streams.open += 1;
    // RFC 9110 8.6: a 204 has no `content-length`, but a provider can send one.
    const keepsLength = this.conversion === null && this.status !== 204;
    const length = keepsLength ? this.headers['content-length'] : undefined;
    if (!options.isFile)
      this.writer.redactWith(new ResponseRedaction(options.credentials(), contentType, length !== undefined));
    this.writeHead(length);
    // With a `content-length`, the body follows immediately. A stream's first event can be minutes away (D5).
    if (length === undefined) this.writer.flushHead();
  }

  private forward(chunk: Buffer): void {
    this.options.meter?.push(chunk);
    this.capture?.chunk(chunk);
    if (this.conversion === null) this.write(chunk);
    else this.writeConverted(this.conversion, chunk);
  }

  private endForwarding(): void {
    if (this.conversion !== null) this.writeConverted(this.conversion, null);
    if (this.settled) return;
    // Settled afterwards, so that an exception still ends the response.
    this.writer.end();
    this.settle(null);
    this.options.meter?.end(true);
    this.finish();
  }

  /** @param chunk null at the end of the stream */
  private writeConverted(conversion: StreamConverter, chunk: Buffer | null): void {
    try {
      for (const piece of chunk === null ? conversion.end() : conversion.push(chunk)) this.write(piece);
    } catch (error) {
      this.fail(notConvertible(error));
    }
  }

  private writeHead(contentLength: string | undefined): void {
    const own = this.ctx.response.ownHeaders?.() ?? [];
    if (this.unbuffered) own.push('x-accel-buffering', 'no');
    own.push(...forwardedResponseHeaders(this.headers, own, this.options.isFile));
    if (contentLength !== undefined) own.push('content-length', contentLength);
    this.writer.writeHead(this.status, own);
  }

  private write(chunk: Buffer): void {
    this.ctx.response.firstByteAtMs ??= performance.now();
    this.writer.write(chunk);
  }

  /** Counts the time until now as waiting for the upstream, unless the headers were sent. */
  private noteWait(): void {
    if (this.ctx.response.headAtMs === null) this.ctx.upstream.waitMs = performance.now() - this.sentAtMs;
  }

  /** The last step of a success. */
  private finish(): void {
    this.options.upload?.discardRest();
    this.resolveEnded();
  }

  /** The provider charges for a response even if it does not arrive completely. */
  protected meterIncomplete(): void {
    const { body, options } = this;
    if (body instanceof UpstreamRefusal) return;
    if (body instanceof HeldResponse) options.meter?.buffered(body.whole(), false);
    else if (body === 'dropped') options.meter?.buffered(NOTHING, false);
    else options.meter?.end(false);
  }

  /** Only limits count such a response. Nothing is recorded for a 502 (D14). */
  protected noteLost(): void {
    if (this.status !== 0 && !(this.body instanceof UpstreamRefusal)) this.ctx.usageProof ??= 'unknown';
  }

  protected destroyConnection(): void {
    this.writer.cut();
  }

  protected release(failure: string | null): void {
    const { ctx, body, options } = this;
    if (this.isOpenStream) options.streams.open -= 1;
    if (typeof body === 'object') body.stop();
    options.upload?.stop();
    ctx.upstream.reached = this.exchange?.reached === true;
    ctx.upstream.sentWhole = this.exchange?.sentWhole === true;
    ctx.trace?.endUpstream(this.status === 0 ? null : this.status, failure);
  }

  private get contentType(): string {
    return this.headers['content-type'] ?? '';
  }
}
