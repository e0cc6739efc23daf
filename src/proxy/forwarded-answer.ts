import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { GatewayError } from '../errors/gateway-error.js';
import { BodyPieces } from '../request-context/body-pieces.js';
import type { RequestContext } from '../request-context/request-context.js';
import { dropEchoes } from '../upstream/account.js';
import { forwardedResponseHeaders } from '../upstream/response-header-allowlist.js';
import type { UpstreamExchange, UpstreamSink } from '../upstream/upstream-exchange.js';
import { notConvertible } from '../upstream/upstream-failure.js';
import { ClientWriter } from './client-writer.js';
import type { ConversionMemory, ConversionShare } from './conversion-memory.js';
import type { AnswerConverter, StreamConverter } from './forward-plan.js';
import type { UploadStream } from './upload-stream.js';
import { messageIn, UpstreamRefusal, upstreamRefused } from './upstream-refusal.js';
import { formatOf, isEventStream } from './usage/answer-format.js';
import type { AnswerMeter } from './usage/answer-meter.js';
import { modelToShow } from './usage/model-scan.js';

/** A JSON answer is held back so long for the model that it names (D4). */
const HELD_BYTES_MAX = 1024 * 1024;
/** Answers are looked through one at a time, in here: memory of its own for each cost as much as sending it. */
const lookedThrough = Buffer.allocUnsafeSlow(HELD_BYTES_MAX);

/** What an answer needs beside its request's context. */
interface AnswerSetting {
  readonly reply: FastifyReply;
  /** null: answers of this route do not cost tokens. */
  readonly meter: AnswerMeter | null;
  /** Never to be seen in a message or a header of the upstream. */
  readonly secrets: readonly string[];
  /** `GW_UPSTREAM_ERRORS` is `relay`. */
  readonly relay: boolean;
  /** Milliseconds that a client may leave its answer unread. */
  readonly stuckClientMs: number;
  /** null: the bytes go out as they come. */
  readonly converter: AnswerConverter | null;
  /** One that is to be converted has to be held whole. */
  readonly conversions: ConversionMemory;
  /** Its name goes out with it. */
  readonly isFile: boolean;
  /** Event streams on their way; this one counts itself in and out. */
  readonly streams: { open: number };
}

/** The way of one upstream answer to the client: held whole, passed on as it comes, or turned into a 502. */
export class ForwardedAnswer implements UpstreamSink {
  /** Settles when the answer has ended: `ForwardService.forward`. */
  readonly ended: Promise<void>;
  /** The request's body where it is streamed: let go of when the answer ends. */
  upload: UploadStream | null = null;
  private resolve!: () => void;
  private reject!: (error: GatewayError) => void;
  private over = false;
  private streams = false;

  private readonly sentAtMs = performance.now();
  private exchange: UpstreamExchange | null = null;
  private writer!: ClientWriter;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private held: BodyPieces | null = null;
  private heldBytes = 0;
  private share: ConversionShare | null = null;
  private refusal: UpstreamRefusal | null = null;
  private conversion: StreamConverter | null = null;

  constructor(
    private readonly ctx: RequestContext,
    private readonly setting: AnswerSetting,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  follow(exchange: UpstreamExchange): void {
    if (this.over) return;
    this.exchange = exchange;
    const abandon = () => this.abandon();
    this.ctx.onClientGone = abandon;
    const { reply, stuckClientMs } = this.setting;
    this.writer = new ClientWriter(reply, exchange, { stuckMs: stuckClientMs }, abandon);
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.ctx.upstreamLatencyMs = this.ctx.upstreamWaitMs = performance.now() - this.sentAtMs;
    dropEchoes(headers, this.setting.secrets);
    this.status = status;
    this.headers = headers;
    if (status >= 300) this.refusal = new UpstreamRefusal(status, headers, this.setting, (e) => this.fail(e));
    else if (this.canBeHeld()) this.held = new BodyPieces();
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
    if (this.refusal !== null) {
      this.noteWait();
      this.refusal.end();
    } else if (this.held !== null) {
      this.noteWait();
      this.writeHeld(this.held);
    } else {
      this.endPassing();
    }
  }

  onError(error: GatewayError): void {
    if (this.over) return;
    this.noteWait();
    // The status is known, so this is an error response, however much of its body has arrived.
    if (this.refusal !== null) this.refusal.end();
    else this.fail(error);
  }

  /** The client has gone away: nobody is left to be answered. */
  private abandon(): void {
    if (this.over) return;
    this.settle('aborted');
    if (this.held !== null) this.setting.meter?.buffered(this.held.whole(), false);
    else if (this.refusal === null) this.setting.meter?.end(false);
    this.exchange?.abort();
    // So that nobody else answers.
    this.setting.reply.hijack();
    this.resolve();
  }

  private fail(error: GatewayError): void {
    if (this.over) return;
    this.settle(error.code);
    this.exchange?.abort();
    if (this.setting.reply.raw.headersSent) {
      this.setting.meter?.end(false);
      this.writer.cut();
    }
    this.reject(error);
  }

  /** @param failure what the exchange failed by; null: it did not */
  private settle(failure: string | null): void {
    this.over = true;
    if (this.streams) this.setting.streams.open -= 1;
    this.ctx.trace?.endUpstream(this.status === 0 ? null : this.status, failure);
    this.ctx.sentWhole = this.exchange?.sentWhole === true;
    this.refusal?.stop();
    this.upload?.stop();
    this.ctx.onClientGone = null;
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

  private hold(chunk: Buffer, held: BodyPieces): void {
    held.push(chunk);
    this.heldBytes += chunk.length;
    if (this.heldBytes <= HELD_BYTES_MAX) return;
    if (this.setting.converter !== null) {
      this.share ??= this.setting.conversions.shareOf(this.setting.reply.raw);
      const failure = this.share.grow(this.heldBytes);
      if (failure === null) return;
      this.held = null;
      return this.fail(failure);
    }
    this.held = null;
    this.noteWait();
    this.startPassing();
    for (const piece of held.all()) this.pass(piece);
  }

  private writeHeld(held: BodyPieces): void {
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
    this.ctx.answeredModel = modelToShow(body, this.setting.secrets);
    // RFC 9110 8.6: of a 204 there is none to tell.
    this.writeHead(this.status === 204 ? undefined : String(length));
    this.writer.endWith(pieces);
    this.settle(null);
    // After the answer: it is on its way meanwhile.
    this.setting.meter?.buffered(body);
    this.finish();
  }

  /** null: it could not be, and the answer has failed. */
  private converted(body: Buffer, converter: AnswerConverter): readonly Buffer[] | null {
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
    this.ctx.bodyFollows = true;
    if (isEventStream(this.contentType)) {
      this.streams = true;
      this.setting.streams.open += 1;
    }
    const length = this.conversion === null ? this.headers['content-length'] : undefined;
    this.writeHead(length);
    // Where a length is announced the body is there already; a stream's first event may be minutes away (D5).
    if (length === undefined) this.writer.flushHead();
  }

  private startConverting(converter: AnswerConverter): void {
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
    this.ctx.firstByteAtMs ??= performance.now();
    this.writer.write(chunk);
  }

  /** The head could not go out before now, and not by the gateway's doing. */
  private noteWait(): void {
    if (this.ctx.headAtMs === null) this.ctx.upstreamWaitMs = performance.now() - this.sentAtMs;
  }

  private finish(): void {
    this.upload?.discardRest();
    this.resolve();
  }

  private writeHead(contentLength: string | undefined): void {
    const headers = this.ctx.ownHeaders?.() ?? [];
    headers.push(...forwardedResponseHeaders(this.headers, headers, this.setting.isFile));
    if (contentLength !== undefined) headers.push('content-length', contentLength);
    this.writer.writeHead(this.status, headers);
  }

  private get contentType(): string {
    return this.headers['content-type'] ?? '';
  }
}
