import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { Guarded, type FaultHandler } from '../platform/errors/guarded.js';
import { takeSocket } from '../platform/patches/undici-request-socket.js';
import { ConnectionLease, type PermitWaiter } from './connection-permits.js';
import { ContentDecoder, takeEncoding, type DecoderEvents } from './content-decoder.js';
import { Deadline } from './deadline.js';
import type { UpstreamExchange, UpstreamRequest, UpstreamSink } from './send-contract.js';
import * as failure from './upstream-failure.js';
import type { FailureReason } from './upstream-failure.js';
import type { Upstream } from './upstream.js';

const ABORTED = new Error('The request was aborted');
/** The pauses before the second and the third attempt to connect. */
const RETRY_PAUSES_MS = [50, 250] as const;

/** Each phase is named after what the call waits for. `over`: it waits for nothing, and the sink gets no further events. */
type Phase = 'permit' | 'connection' | 'retry' | 'head' | 'body' | 'decoder' | 'over';

/**
 * Sends one request and passes the response to its sink. The phases follow each other in the order of `Phase`, except that a `retry`
 * leads back to `connection`. Each phase can time out. The call ends once: in `succeed`, `fail`, `abort` or `fault`.
 */
export class UpstreamCall
  implements UpstreamExchange, PermitWaiter, Dispatcher.DispatchHandler, DecoderEvents, FaultHandler
{
  readonly holder: string;
  socket: Socket | null = null;
  private phase: Phase = 'permit';
  private readonly lease: ConnectionLease;
  private readonly deadline: Deadline;
  private connectByMs = 0;
  private refusals = 0;
  /** Exists once the request was started on a connection. */
  private controller: Dispatcher.DispatchController | null = null;
  /** The socket has the whole request, possibly in its buffer. */
  private written = false;
  /** The response has a success status, which a provider sends only if it has read the request. */
  private accepted = false;
  /** The operating system has rejected the whole request, so no byte of it was sent. */
  private unsent = false;
  /** Set by `freezeSentWhole`. Until then, the socket shows whether the request was sent. */
  private frozenSentWhole: boolean | null = null;
  /** Infinity without a `content-length`. */
  private bytesLeft = Infinity;
  private endsWithConnection = false;
  private decoder: ContentDecoder | null = null;

  constructor(
    private readonly upstream: Upstream,
    private readonly request: UpstreamRequest,
    private readonly sink: UpstreamSink,
  ) {
    this.holder = request.holder;
    this.lease = new ConnectionLease(upstream.permits, upstream.pool, request.holder);
    this.deadline = new Deadline(Math.min(upstream.limits.headMs, upstream.limits.idleMs), this);
  }

  start(): void {
    this.sink.onStart(this);
    const { breaker, permits } = this.upstream;
    const secondsToWait = breaker.admit();
    if (secondsToWait > 0) this.fail('breaker', failure.refusedByBreaker(secondsToWait));
    else if (permits.take(this.holder)) this.onPermit();
    else if (permits.wait(this)) this.deadline.set(this.connectMs);
    else this.fail('no_connection', failure.noFreeConnection());
  }

  private get connectMs(): number {
    const { limits } = this.upstream;
    return Math.min(limits.connectMs, this.request.connectMsMax ?? Infinity);
  }

  @Guarded
  onPermit(): void {
    this.lease.begin();
    this.connectByMs = performance.now() + this.connectMs;
    this.connect();
  }

  private connect(): void {
    this.phase = 'connection';
    const { method, path, headers, body } = this.request;
    // undici reports all errors to this handler, possibly before `dispatch` returns.
    this.lease.connect().client.dispatch({ method, path: this.upstream.pathOf(path), headers, body }, this);
    // On an open connection the request has already started, with another timeout.
    if (this.phase === 'connection') this.deadline.set(Math.max(0, this.connectByMs - performance.now()));
  }

  /**
   * Connects again, immediately or after a pause, and reports a refused connection to the breaker. The request was not started
   * on a connection, so it cannot have reached the upstream (D22).
   * @returns false if the failure is final
   */
  private tryAgain(error: Error): boolean {
    if (!failure.isConnectFailure(error)) return false;
    const isConnecting = this.phase === 'connection';
    // An idle connection was reset before the request was written to it. This does not show that the upstream refuses connections.
    if (isConnecting && this.lease.isReused) {
      this.connect();
      return true;
    }
    const { breaker } = this.upstream;
    breaker.onRefused();
    if (!isConnecting || this.request.connectMsMax !== undefined) return false;
    this.refusals += 1;
    const pauseMs = RETRY_PAUSES_MS[this.refusals - 1];
    if (pauseMs === undefined || pauseMs >= this.connectByMs - performance.now() || breaker.open) return false;
    this.phase = 'retry';
    this.deadline.set(pauseMs);
    return true;
  }

  /** Sends the request on another connection, because the upstream has closed this one before any byte was sent. */
  private connectInstead(): void {
    this.controller = null;
    this.socket = null;
    this.written = false;
    this.unsent = false;
    this.connectByMs = performance.now() + this.connectMs;
    this.connect();
  }

  /** Not guarded: if the call is over, the exception ends the request but keeps the connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.phase === 'over') throw ABORTED;
    this.controller = controller;
    this.upstream.breaker.onConnected();
    this.phase = 'head';
    // A streamed body has its own timeouts. The timeout for the response headers starts after its last byte.
    if (this.request.body instanceof Readable) this.deadline.stop();
    else this.deadline.set(this.upstream.limits.headMs);
    takeSocket(this);
  }

  onRequestSent(): void {
    this.written = true;
    if (this.request.body instanceof Readable) {
      if (this.phase === 'head') this.deadline.set(this.upstream.limits.headMs);
    } else {
      // undici writes headers and body at once. The socket has an error already if the operating system accepted nothing.
      this.unsent = this.socket !== null && this.socket.errored !== null;
    }
  }

  @Guarded
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.phase !== 'head') return;
    if (status >= 300) this.upstream.failures.status += 1;
    else this.accepted = true;
    this.phase = 'body';
    this.deadline.set(this.upstream.limits.idleMs);
    const length = headers['content-length'];
    if (length !== undefined) this.bytesLeft = Number(length);
    this.endsWithConnection = length === undefined && headers['transfer-encoding'] === undefined;
    const encoding = takeEncoding(status, headers);
    if (encoding !== null) {
      if (!ContentDecoder.knows(encoding)) return this.fail('encoding', failure.unknownEncoding(encoding));
      this.decoder = new ContentDecoder(encoding, this);
    }
    this.sink.onHead(status, headers);
  }

  @Guarded
  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.phase !== 'body') return;
    this.bytesLeft -= chunk.length;
    this.deadline.set(this.upstream.limits.idleMs);
    if (this.decoder === null) this.sink.onData(chunk);
    else if (!this.decoder.write(chunk)) this.pauseSocket();
  }

  @Guarded
  onResponseEnd(): void {
    this.freezeSentWhole();
    this.lease.giveBack();
    if (this.phase !== 'body') return;
    // After a reset, a response that ends with its connection is incomplete.
    const reset = this.endsWithConnection ? (this.socket?.errored ?? null) : null;
    if (reset !== null) return this.fail('reset', failure.cutShort(reset));
    if (this.decoder === null) return this.succeed();
    this.phase = 'decoder';
    this.deadline.stop();
    this.decoder.end();
  }

  @Guarded
  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.unsent && this.phase === 'head' && this.lease.isReused) return this.connectInstead();
    const isStarted = this.reached;
    if (!isStarted && this.tryAgain(error)) return;
    if (this.phase === 'head') this.lease.lose();
    else this.lease.drop();
    if (this.phase !== 'over') this.fail(failure.reasonOf(error, isStarted), failure.failureOf(error, isStarted));
  }

  @Guarded
  onDecoded(chunk: Buffer): void {
    this.sink.onData(chunk);
  }

  onDecoderDrain(): void {
    this.resumeSocket();
  }

  @Guarded
  onDecodedEnd(): void {
    if (this.phase !== 'over') this.succeed();
  }

  @Guarded
  onDecodingFailed(error: Error): void {
    if (this.phase !== 'over') this.fail('encoding', failure.cutShort(error));
  }

  @Guarded
  timedOut(): void {
    switch (this.phase) {
      case 'permit':
        return this.fail('no_connection', failure.noFreeConnection());
      case 'connection':
        return this.fail('connect', failure.connectTimedOut());
      case 'retry':
        return this.connect();
      case 'head':
        return this.fail('head_timeout', failure.headTimedOut());
      case 'body':
        // While the gateway pauses the response, the upstream is not idle.
        if (this.controller?.paused === true) return this.deadline.set(this.upstream.limits.idleMs);
        return this.fail('idle_timeout', failure.idleTimedOut());
      case 'decoder':
      case 'over':
        return;
      default:
        return this.phase satisfies never;
    }
  }

  pause(): void {
    this.decoder?.pause();
    this.pauseSocket();
  }

  resume(): void {
    this.decoder?.resume();
    if (this.decoder?.full !== true) this.resumeSocket();
  }

  /** Does not pause after the last byte. If undici missed that the upstream closed the connection, it would treat the response as incomplete. */
  private pauseSocket(): void {
    if (this.bytesLeft > 0) this.controller?.pause();
  }

  @Guarded
  private resumeSocket(): void {
    if (this.phase !== 'body') return;
    this.deadline.set(this.upstream.limits.idleMs);
    this.controller?.resume();
  }

  get reached(): boolean {
    return this.controller !== null;
  }

  /** A TLS socket reports a write as pending for some milliseconds, in which a fast upstream has already responded. */
  get sentWhole(): boolean {
    return this.frozenSentWhole ?? (this.written && (this.accepted || this.socket?.writableLength === 0));
  }

  /** Called before the socket can carry another request, because its buffer then shows nothing about this one. */
  private freezeSentWhole(): void {
    this.frozenSentWhole = this.sentWhole;
  }

  @Guarded
  abort(): void {
    if (this.phase !== 'over') this.cancel();
  }

  noteFault(): void {
    this.upstream.failures.internal += 1;
  }

  /** The sink gets the exception of a guarded method, even if the sink itself threw it in `onEnd`. */
  fault(error: unknown): void {
    this.noteFault();
    try {
      if (this.phase !== 'over') this.cancel();
    } finally {
      this.sink.onError(failure.notProcessed(error), { reason: 'internal', reached: this.reached });
    }
  }

  private succeed(): void {
    this.phase = 'over';
    this.deadline.stop();
    this.sink.onEnd();
  }

  private fail(reason: FailureReason, error: GatewayError): void {
    this.upstream.failures[reason] += 1;
    this.cancel();
    this.sink.onError(error, { reason, reached: this.reached });
  }

  /** A request that waits for its connection keeps the permit until undici reports the result. */
  private cancel(): void {
    const { phase } = this;
    this.freezeSentWhole();
    this.phase = 'over';
    this.deadline.stop();
    this.decoder?.destroy();
    this.controller?.abort(ABORTED);
    if (phase === 'permit') this.upstream.permits.leave(this);
    if (phase === 'retry') this.lease.drop();
  }
}
