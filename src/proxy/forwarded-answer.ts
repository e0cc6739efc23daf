import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { GatewayError } from '../errors/gateway-error.js';
import type { RequestContext } from '../request-context/request-context.js';
import { forwardedResponseHeaders } from '../upstream/response-headers.js';
import type { UpstreamExchange, UpstreamSink } from '../upstream/upstream-exchange.js';
import { ClientWriter } from './client-writer.js';
import { TailUsage } from './tail-usage.js';
import { UpstreamRefusal } from './upstream-refusal.js';
import { scanModel } from './usage/model-scan.js';
import type { StreamUsageReader, UsageReader } from './usage/usage-reader.js';

/** A JSON answer is held back so long for the model that it names (D4). */
const HELD_BYTES_MAX = 1024 * 1024;

/** What an answer needs beside its request's context. */
export interface AnswerSetting {
  readonly reply: FastifyReply;
  /** null: answers of this route do not tell what they cost. */
  readonly usageReader: UsageReader | null;
  /** Never to be seen in a message of the upstream. */
  readonly secrets: readonly string[];
  /** Milliseconds that a client may leave its answer unread. */
  readonly stuckClientMs: number;
}

/** The way of one upstream answer to the client: held whole, passed on as it comes, or turned into a 502. */
export class ForwardedAnswer implements UpstreamSink {
  /** Settles when the answer has ended: `ForwardService.forward`. */
  readonly ended: Promise<void>;
  private resolve!: () => void;
  private reject!: (error: GatewayError) => void;
  private over = false;

  private readonly sentAtMs = performance.now();
  private exchange: UpstreamExchange | null = null;
  private writer!: ClientWriter;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private held: Buffer[] | null = null;
  private heldBytes = 0;
  private refusal: UpstreamRefusal | null = null;
  private tap: StreamUsageReader | null = null;

  constructor(
    private readonly ctx: RequestContext,
    private readonly setting: AnswerSetting,
  ) {
    this.ended = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Once the request is on its way. */
  follow(exchange: UpstreamExchange): void {
    if (this.over) return;
    this.exchange = exchange;
    this.ctx.onClientGone = () => this.abandon();
    const { reply, stuckClientMs } = this.setting;
    this.writer = new ClientWriter(reply, exchange, { stuckMs: stuckClientMs }, () => this.abandon());
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.ctx.upstreamLatencyMs = performance.now() - this.sentAtMs;
    this.status = status;
    this.headers = headers;
    if (status >= 300) this.refusal = new UpstreamRefusal(status, headers, this.setting.secrets, (e) => this.fail(e));
    else if (this.canBeHeld()) this.held = [];
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
      this.refusal.end();
    } else if (this.held !== null) {
      this.writeHeld(this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held));
    } else {
      this.recordUsage(true);
      this.writer.end();
      this.settle();
      this.resolve();
    }
  }

  onError(error: GatewayError): void {
    if (this.over) return;
    // The status is known, so the answer is a refusal, however much of its message has come.
    if (this.refusal !== null) this.refusal.end();
    else this.fail(error);
  }

  /** The client has gone away: nobody is left to be answered. */
  private abandon(): void {
    if (this.over) return;
    this.recordUsage(false);
    this.settle();
    this.exchange?.abort();
    // So that nobody else answers.
    this.setting.reply.hijack();
    this.resolve();
  }

  private fail(error: GatewayError): void {
    if (this.over) return;
    this.settle();
    this.exchange?.abort();
    if (this.setting.reply.raw.headersSent) {
      this.recordUsage(false);
      this.writer.cut();
    }
    this.reject(error);
  }

  private settle(): void {
    this.over = true;
    this.refusal?.stop();
    this.ctx.onClientGone = null;
  }

  // JSON asked for as a stream is held only where its length is announced: else it may be coming piece by piece.
  private canBeHeld(): boolean {
    if (this.ctx.method === 'HEAD' || !isJson(this.contentType)) return false;
    return !this.ctx.stream || this.headers['content-length'] !== undefined;
  }

  private hold(chunk: Buffer, held: Buffer[]): void {
    held.push(chunk);
    this.heldBytes += chunk.length;
    if (this.heldBytes <= HELD_BYTES_MAX) return;
    this.held = null;
    this.startPassing();
    for (const piece of held) this.pass(piece);
  }

  private writeHeld(body: Buffer): void {
    this.ctx.stream = false;
    this.ctx.answeredModel = scanModel(body);
    this.writeHead(String(body.length));
    this.writer.end(body);
    // After the answer: it is on its way meanwhile.
    if (this.setting.usageReader !== null) this.ctx.usage = this.setting.usageReader.buffered(body);
    this.settle();
    this.resolve();
  }

  private startPassing(): void {
    const { usageReader } = this.setting;
    if (usageReader !== null) {
      this.tap = isJson(this.contentType) ? new TailUsage(usageReader) : usageReader.stream(this.contentType);
    }
    this.ctx.stream ||= isEventStream(this.contentType);
    const length = this.headers['content-length'];
    this.writeHead(length);
    // Where a length is announced the body is there already; a stream's first event may be minutes away (D5).
    if (length === undefined) this.writer.flushHead();
  }

  private pass(chunk: Buffer): void {
    this.writer.write(chunk);
    this.tap?.push(chunk);
  }

  private writeHead(contentLength: string | undefined): void {
    const headers = this.ctx.ownHeaders?.() ?? [];
    headers.push(...forwardedResponseHeaders(this.headers, headers));
    if (contentLength !== undefined) headers.push('content-length', contentLength);
    this.writer.writeHead(this.status, headers);
  }

  private recordUsage(whole: boolean): void {
    if (this.tap !== null) this.ctx.usage = this.tap.end(whole);
  }

  private get contentType(): string {
    return this.headers['content-type'] ?? '';
  }
}

const isJson = (contentType: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType);
const isEventStream = (contentType: string): boolean =>
  /^(?:text\/event-stream|application\/(?:x-)?ndjson)\b/i.test(contentType);
