import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { Guarded, type FaultHandler } from '../platform/errors/guarded.js';
import { ConnectionLease } from './connection-lease.js';
import { ContentDecoder, takeEncoding } from './content-decoder.js';
import { Deadline } from './deadline.js';
import * as failure from './upstream-failure.js';
import type { FailureReason } from './upstream-failure.js';
import type { PermitWaiter } from './connection-permits.js';
import { takeSocket } from '../platform/patches/undici-request-socket.js';
import type { UpstreamExchange, UpstreamRequest, UpstreamSink } from './upstream-exchange.js';
import type { Upstream } from './upstream.js';

const ABORTED = new Error('The request was aborted');

/** In `over`, the sink gets no further events. The permit can be held until undici has ended the request. */
type Phase = 'waiting' | 'connecting' | 'pausing' | 'head' | 'body' | 'decoding' | 'over';

/** Runs one upstream request, with its permit, timeouts and connection attempts. Every exit releases the permit. */
export class UpstreamCall implements UpstreamExchange, PermitWaiter, Dispatcher.DispatchHandler, FaultHandler {
  readonly holder: string;
  socket: Socket | null = null;
  private phase: Phase = 'waiting';
  private controller: Dispatcher.DispatchController | null = null;
  private decoder: ContentDecoder | null = null;
  private readonly deadline: Deadline;
  private readonly lease: ConnectionLease;
  private tries = 0;
  private connectByMs = 0;
  /** Infinity without a `content-length`. */
  private bytesLeft = Infinity;
  private framed = true;
  /** The request has been written to the socket, whose buffer might not be sent yet. */
  private written = false;
  private sent = false;

  constructor(
    private readonly upstream: Upstream,
    private readonly request: UpstreamRequest,
    private readonly sink: UpstreamSink,
  ) {
    this.holder = request.holder;
    this.lease = new ConnectionLease(upstream, request.holder);
    this.deadline = new Deadline(Math.min(upstream.limits.headMs, upstream.limits.idleMs), this);
  }

  start(): void {
    this.sink.onStart(this);
    const secondsToWait = this.upstream.breaker.secondsToWait();
    if (secondsToWait > 0) this.fail('breaker', failure.refusedByBreaker(secondsToWait));
    else if (this.upstream.permits.take(this.holder)) this.onPermit();
    else if (this.upstream.permits.wait(this)) this.deadline.set(this.upstream.limits.connectMs);
    else this.fail('no_connection', failure.noFreeConnection());
  }

  get sentWhole(): boolean {
    this.updateSent();
    return this.sent;
  }

  @Guarded
  abort(): void {
    if (this.phase === 'over') return;
    if (this.phase === 'waiting') this.upstream.permits.leave(this);
    this.cancel();
  }

  pause(): void {
    this.decoder?.pause();
    this.pauseSocket();
  }

  resume(): void {
    this.decoder?.resume();
    if (this.decoder?.full !== true) this.resumeSocket();
  }

  noteFault(): void {
    this.upstream.failures.internal += 1;
  }

  /** A guarded method has failed. The sink gets the error, even if it has failed in `onEnd`. */
  fault(error: unknown): void {
    this.noteFault();
    try {
      if (this.phase !== 'over') this.cancel();
    } finally {
      this.sink.onError(failure.notProcessed(error), { reason: 'internal', reached: this.controller !== null });
    }
  }

  @Guarded
  onPermit(): void {
    this.lease.begin();
    this.connectByMs = performance.now() + this.upstream.limits.connectMs;
    this.connect();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request was aborted while connecting. Throwing here ends the request but keeps the connection. So it is not guarded.
    if (this.phase === 'over') throw ABORTED;
    this.controller = controller;
    this.upstream.breaker.onConnected();
    this.phase = 'head';
    // A streamed body has its own timeouts. The timeout for the response headers starts after the last byte.
    if (this.request.body instanceof Readable) this.deadline.stop();
    else this.deadline.set(this.upstream.limits.headMs);
    takeSocket(this);
  }

  onRequestSent(): void {
    this.written = true;
    if (this.phase === 'head' && this.request.body instanceof Readable) this.deadline.set(this.upstream.limits.headMs);
  }

  @Guarded
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.phase !== 'head') return;
    if (status >= 300) this.upstream.failures.status += 1;
    this.updateSent();
    this.phase = 'body';
    this.deadline.set(this.upstream.limits.idleMs);
    const length = headers['content-length'];
    if (length !== undefined) this.bytesLeft = Number(length);
    this.framed = length !== undefined || headers['transfer-encoding'] !== undefined;
    if (this.prepareDecoder(status, headers)) this.sink.onHead(status, headers);
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
    // After this event, the socket can carry another request.
    this.updateSent();
    this.written = false;
    this.lease.reusable = true;
    this.lease.release();
    if (this.phase !== 'body') return;
    // Without a length or chunks, the response ends with its connection. After a reset it is incomplete.
    const reset = this.framed ? null : (this.socket?.errored ?? null);
    if (reset !== null) return this.fail('reset', failure.cutShort(reset));
    if (this.decoder === null) return this.succeed();
    this.phase = 'decoding';
    this.deadline.stop();
    this.decoder.end();
  }

  @Guarded
  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.controller === null && failure.isConnectFailure(error)) {
      // The idle connection was reset before the request was written to it, so another connection is safe.
      if (this.phase === 'connecting' && this.lease.isReused) return this.connect();
      this.upstream.breaker.onRefused();
      if (this.phase === 'connecting' && this.retryLater()) return;
    }
    this.lease.release();
    const begun = this.controller !== null;
    if (this.phase !== 'over') this.fail(failure.reasonOf(error, begun), failure.failureOf(error, begun));
  }

  private connect(): void {
    this.phase = 'connecting';
    const { method, path, headers, body } = this.request;
    // undici reports all errors to this handler, possibly before `dispatch` returns.
    this.lease.connect().client.dispatch({ method, path: this.upstream.pathOf(path), headers, body }, this);
    // On an open connection the request has already started, with another timeout.
    if (this.phase === 'connecting') this.deadline.set(this.connectByMs - performance.now());
  }

  // The request was never started on a connection, so it cannot have reached the upstream (D22).
  private retryLater(): boolean {
    if (this.request.connectOnce === true) return false;
    this.tries += 1;
    const pauseMs = failure.retryPauseMs(this.tries, this.connectByMs - performance.now());
    if (pauseMs === null || this.upstream.breaker.open) return false;
    this.phase = 'pausing';
    this.deadline.set(pauseMs);
    return true;
  }

  @Guarded
  private onDecoded(chunk: Buffer): void {
    this.sink.onData(chunk);
  }

  @Guarded
  private onDecodingFailed(error: Error): void {
    this.abortWith('encoding', failure.cutShort(error));
  }

  private prepareDecoder(status: number, headers: IncomingHttpHeaders): boolean {
    const encoding = takeEncoding(status, headers);
    if (encoding === null) return true;
    if (!ContentDecoder.knows(encoding)) {
      this.abortWith('encoding', failure.unknownEncoding(encoding));
      return false;
    }
    this.decoder = new ContentDecoder(encoding, {
      onData: (chunk) => this.onDecoded(chunk),
      onEnd: () => this.succeed(),
      onError: (error) => this.onDecodingFailed(error),
      onDrain: () => this.resumeSocket(),
    });
    return true;
  }

  // Does nothing after the last byte, because undici would treat the response as incomplete if the upstream then closed the
  // connection.
  private pauseSocket(): void {
    if (this.bytesLeft > 0) this.controller?.pause();
  }

  @Guarded
  private resumeSocket(): void {
    if (this.phase !== 'body') return;
    this.deadline.set(this.upstream.limits.idleMs);
    this.controller?.resume();
  }

  @Guarded
  timedOut(): void {
    switch (this.phase) {
      case 'waiting':
        this.upstream.permits.leave(this);
        return this.fail('no_connection', failure.noFreeConnection());
      case 'connecting':
        return this.abortWith('connect', failure.connectTimedOut());
      case 'pausing':
        return this.connect();
      case 'head':
        return this.abortWith('head_timeout', failure.headTimedOut());
      case 'body':
        // While the gateway pauses the response, the upstream is not idle.
        if (this.controller?.paused === true) this.deadline.set(this.upstream.limits.idleMs);
        else this.abortWith('idle_timeout', failure.idleTimedOut());
        return;
      case 'decoding':
      case 'over':
        return;
      default:
        return this.phase satisfies never;
    }
  }

  @Guarded
  private succeed(): void {
    if (this.phase === 'over') return;
    this.phase = 'over';
    this.deadline.stop();
    this.sink.onEnd();
  }

  private abortWith(reason: FailureReason, error: GatewayError): void {
    if (this.phase === 'over') return;
    this.upstream.failures[reason] += 1;
    const reached = this.controller !== null;
    this.cancel();
    this.sink.onError(error, { reason, reached });
  }

  private fail(reason: FailureReason, error: GatewayError): void {
    this.upstream.failures[reason] += 1;
    this.close();
    this.sink.onError(error, { reason, reached: this.controller !== null });
  }

  private close(): void {
    this.updateSent();
    this.phase = 'over';
    this.deadline.stop();
    this.decoder?.destroy();
  }

  /** While the request is connecting, it keeps its permit until undici reports the result. */
  private cancel(): void {
    const pausing = this.phase === 'pausing';
    this.close();
    this.controller?.abort(ABORTED);
    if (pausing) this.lease.release();
  }

  private updateSent(): void {
    if (this.written && this.phase !== 'over') this.sent ||= this.socket?.writableLength === 0;
  }
}
