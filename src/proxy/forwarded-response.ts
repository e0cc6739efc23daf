import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayError } from '../errors/gateway-error.js';
import type { RequestContext } from '../request-context/request-context.js';
import { dropEchoes } from '../upstream/account.js';
import { forwardedResponseHeaders } from '../upstream/response-header-allowlist.js';
import type { UpstreamExchange, UpstreamSink } from '../upstream/upstream-exchange.js';
import { notConvertible } from '../upstream/upstream-failure.js';
import type { ResponseOptions, ResponseConverter, StreamConverter } from './forward-plan.js';
import { ClientWriter } from './client-writer.js';
import { HELD_BYTES_MAX, HeldResponse } from './held-response.js';
import { messageIn, UpstreamRefusal, upstreamRefused } from './upstream-refusal.js';
import { formatOf, isEventStream } from './metering/response-format.js';
import { modelToShow } from './metering/model-scan.js';

/** Answers are looked through one at a time, in here: memory of its own for each cost as much as sending it. */
const lookedThrough = Buffer.allocUnsafeSlow(HELD_BYTES_MAX);

/** The way of one upstream answer to the client: held whole, passed on as it comes, or turned into a 502. */
export class ForwardedResponse implements UpstreamSink {
  /** Settles when the answer has ended: `ForwardService.forward`. */
  readonly ended: Promise<void>;
  private resolve!: () => void;
  private reject!: (error: GatewayError) => void;
  private over = false;
  private streams = false;

  private readonly sentAtMs = performance.now();
  private exchange: UpstreamExchange | null = null;
  private writer!: ClientWriter;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private held: HeldResponse | null = null;
  /** A proxy in front of the gateway must not buffer the response. */
  private unbuffered = false;
  private refusal: UpstreamRefusal | null = null;
  private conversion: StreamConverter | null = null;

  constructor(
    private readonly ctx: RequestContext,
    private readonly setting: ResponseOptions,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    setting.upload?.once('failed', (error: GatewayError) => this.onError(error));
  }

  onStart(exchange: UpstreamExchange): void {
    this.exchange = exchange;
    this.ctx.onEnd(() => this.onResponseClosed());
    const { reply, stuckClientMs } = this.setting;
    this.writer = new ClientWriter(reply, exchange, { stuckMs: stuckClientMs }, () => this.abandon());
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.ctx.upstream.latencyMs = this.ctx.upstream.waitMs = performance.now() - this.sentAtMs;
    dropEchoes(headers, this.setting.secrets);
    this.status = status;
    this.headers = headers;
    if (status >= 300) this.refusal = new UpstreamRefusal(status, headers, this.setting, (e) => this.fail(e));
    else if (this.canBeHeld()) this.held = new HeldResponse(() => this.passBlanks());
    else if (this.setting.converter !== null) this.startConverting(this.setting.converter);
    else this.startPassing();
  }

  onData(chunk: Buffer): void {
    if (this.over) return;
    if (this.refusal !== null) this.refusal.push(chunk);
    else if (this.held !== null) this.hold(chunk, this.held);
    else this.pass(chunk);
  }

  onEnd(): void {
    if (this.over) return;
    const { refusal, held } = this;
    if (refusal === null && held === null) return this.endPassing();
    this.noteWait();
    refusal?.end();
    if (held !== null) this.writeHeld(held);
  }

  onError(error: GatewayError): void {
    if (this.over) return;
    this.noteWait();
    // The status is known, so this is an error response, however much of its body has arrived.
    if (this.refusal !== null) this.refusal.end();
    else this.fail(error);
  }

  private onResponseClosed(): void {
    if (this.over) return;
    this.ctx.response.cutByClient = true;
    this.abandon();
  }

  /** The client has disconnected: there is no one to respond to. */
  private abandon(): void {
    if (this.over) return;
    this.settle('aborted');
    this.meterCut();
    this.exchange?.abort();
    // So that nobody else answers.
    this.setting.reply.hijack();
    this.resolve();
  }

  private fail(error: GatewayError): void {
    if (this.over) return;
    this.settle(error.code);
    this.exchange?.abort();
    if (this.headSent) {
      this.meterCut();
      this.writer.cut();
    }
    this.reject(error);
  }

  private meterCut(): void {
    if (this.held !== null) this.setting.meter?.buffered(this.held.whole(), false);
    else if (this.refusal === null) this.setting.meter?.end(false);
  }

  /** @param failure what the exchange failed by; null: it did not */
  private settle(failure: string | null): void {
    this.over = true;
    if (this.streams) this.setting.streams.open -= 1;
    this.ctx.trace?.endUpstream(this.status === 0 ? null : this.status, failure);
    this.ctx.upstream.sentWhole = this.exchange?.sentWhole === true;
    this.refusal?.stop();
    this.held?.stop();
    this.setting.upload?.stop();
  }

  // JSON asked for as a stream is held only where its length is announced: else it may be coming piece by piece.
  private canBeHeld(): boolean {
    if (this.ctx.method === 'HEAD') return false;
    // What says nothing of itself is read as what was asked for, where it is read at all.
    const isRead = this.setting.converter !== null || this.setting.meter !== null;
    if (isRead && this.contentType === '') return !this.ctx.stream;
    if (formatOf(this.contentType) !== 'json') return false;
    if (this.setting.converter !== null) return true;
    return !this.ctx.stream || this.headers['content-length'] !== undefined;
  }

  private hold(chunk: Buffer, held: HeldResponse): void {
    // Only a response that is converted is still held after its head. Blanks that are forwarded need no memory.
    if (this.headSent && held.isStillBlank(chunk)) return this.write(chunk);
    held.push(chunk);
    if (!held.tooLong) return;
    if (this.setting.converter === null) return this.passHeld(held);
    const failure = held.takeMemory(this.setting.conversions, this.setting.reply.raw);
    if (failure === null) return;
    this.held = null;
    this.fail(failure);
  }

  /** No longer held: forwarded as it arrives. */
  private passHeld(held: HeldResponse): void {
    this.held = null;
    this.noteWait();
    this.startPassing();
    for (const piece of held.all()) this.pass(piece);
  }

  /** Keeps the client's connection alive: the blanks are forwarded, with the head before them (D4). */
  private passBlanks(): void {
    const { held } = this;
    if (held === null || this.over) return;
    this.unbuffered = true;
    if (this.setting.converter === null) return this.passHeld(held);
    this.noteWait();
    this.ctx.response.bodyFollows = true;
    this.writeHead(undefined);
    for (const piece of held.all()) this.write(piece);
  }

  private writeHeld(held: HeldResponse): void {
    const { converter } = this.setting;
    if (converter === null) return this.writeWhole(held.whole(lookedThrough), held.all());
    const body = held.whole();
    // The converted one is what a slow client keeps.
    this.held = null;
    const converted = this.converted(body, converter);
    if (converted === null) return;
    const length = converted.reduce((bytes, piece) => bytes + piece.length, 0);
    this.writeWhole(body, converted, length);
  }

  /**
   * @param body as it came, to be looked through
   * @param pieces what goes out, `length` bytes
   */
  private writeWhole(body: Buffer, pieces: readonly Buffer[], length = body.length): void {
    this.ctx.stream = false;
    this.ctx.upstream.answeredModel = modelToShow(body, this.setting.secrets);
    // RFC 9110 8.6: a 204 has no length.
    if (!this.headSent) this.writeHead(this.status === 204 ? undefined : String(length));
    this.writer.endWith(pieces);
    this.settle(null);
    // After the answer: it is on its way meanwhile.
    this.setting.meter?.buffered(body);
    this.finish();
  }

  /** null: it could not be, and the answer has failed. */
  private converted(body: Buffer, converter: ResponseConverter): readonly Buffer[] | null {
    try {
      return converter.buffered(body);
    } catch (error) {
      // The provider bills it all the same.
      this.setting.meter?.buffered(body);
      const message = messageIn(body.toString());
      const { status, headers, setting } = this;
      this.fail(message === null ? notConvertible(error) : upstreamRefused(status, headers, message, setting.secrets));
      return null;
    }
  }

  private startPassing(): void {
    this.setting.meter?.startStream(this.contentType);
    this.ctx.stream ||= isEventStream(this.contentType);
    this.unbuffered ||= this.ctx.stream;
    this.ctx.response.bodyFollows = true;
    if (isEventStream(this.contentType)) {
      this.streams = true;
      this.setting.streams.open += 1;
    }
    const length = this.conversion === null ? this.headers['content-length'] : undefined;
    this.writeHead(length);
    // Where a length is announced the body is there already; a stream's first event may be minutes away (D5).
    if (length === undefined) this.writer.flushHead();
  }

  private startConverting(converter: ResponseConverter): void {
    if (this.contentType !== '' && !isEventStream(this.contentType) && formatOf(this.contentType) !== 'ndjson')
      return this.fail(notConvertible(new Error(this.contentType)));
    this.conversion = converter.stream(this.contentType);
    this.startPassing();
  }

  private pass(chunk: Buffer): void {
    this.setting.meter?.push(chunk);
    if (this.conversion === null) this.write(chunk);
    else this.convert((conversion) => conversion.push(chunk));
  }

  private endPassing(): void {
    this.convert((conversion) => conversion.end());
    // The last piece may have shown that the answer cannot be converted.
    if (this.over) return;
    this.settle(null);
    this.writer.end();
    this.setting.meter?.end(true);
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

  /** The head could not go out before now, and not by the gateway's doing. */
  private noteWait(): void {
    if (this.ctx.response.headAtMs === null) this.ctx.upstream.waitMs = performance.now() - this.sentAtMs;
  }

  private finish(): void {
    this.setting.upload?.discardRest();
    this.resolve();
  }

  private writeHead(contentLength: string | undefined): void {
    const headers = this.ctx.response.ownHeaders?.() ?? [];
    if (this.unbuffered) headers.push('x-accel-buffering', 'no');
    headers.push(...forwardedResponseHeaders(this.headers, headers, this.setting.isFile));
    if (contentLength !== undefined) headers.push('content-length', contentLength);
    this.writer.writeHead(this.status, headers);
  }

  private get headSent(): boolean {
    return this.setting.reply.raw.headersSent;
  }

  private get contentType(): string {
    return this.headers['content-type'] ?? '';
  }
}
