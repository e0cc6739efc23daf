import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { internalError } from '../errors/error-factories.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { ContentDecoder, takeEncoding } from './content-decoder.js';
import { Deadline } from './deadline.js';
import * as failure from './upstream-failure.js';
import type { FailureReason } from './upstream-failure.js';
import type { PermitWaiter } from '../fairness/connection-permits.js';
import { takeSocket } from './request-socket.js';
import type { UpstreamExchange, UpstreamRequest, UpstreamSink } from './upstream-exchange.js';
import type { Lane } from './upstream-pool.js';
import type { Upstream } from './upstream.js';

const ABORTED = new Error('The request was aborted');

/** In `over`, the sink gets no further events. The permit can be held until undici has ended the request. */
type Phase = 'waiting' | 'connecting' | 'pausing' | 'head' | 'body' | 'decoding' | 'over';

/** Runs one upstream request, with its permit, timeouts and connection attempts. Every exit releases the permit. */
export class UpstreamCall implements UpstreamExchange, PermitWaiter, Dispatcher.DispatchHandler {
  readonly holder: string;
  socket: Socket | null = null;
  private phase: Phase = 'waiting';
  private controller: Dispatcher.DispatchController | null = null;
  private decoder: ContentDecoder | null = null;
  private readonly deadline: Deadline;
  private holdsPermit = false;
  private lane: Lane | null = null;
  private connectionReusable = false;
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

  onPermit(): void {
    this.holdsPermit = true;
    this.connectByMs = performance.now() + this.upstream.limits.connectMs;
    this.connect();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request was aborted while connecting. Throwing here ends the request but keeps the connection.
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

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.phase !== 'head') return;
    if (status >= 300) this.upstream.failures.status += 1;
    this.updateSent();
    this.phase = 'body';
    this.deadline.set(this.upstream.limits.idleMs);
    const length = headers['content-length'];
    if (length !== undefined) this.bytesLeft = Number(length);
    this.framed = length !== undefined || headers['transfer-encoding'] !== undefined;
    try {
      if (this.prepareDecoder(status, headers)) this.sink.onHead(status, headers);
    } catch (error) {
      this.abortWith('internal', internalError(error));
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.phase !== 'body') return;
    this.bytesLeft -= chunk.length;
    this.deadline.set(this.upstream.limits.idleMs);
    if (this.decoder === null) this.deliver(chunk);
    else if (!this.decoder.write(chunk)) this.pauseSocket();
  }

  onResponseEnd(): void {
    // After this event, the socket can carry another request.
    this.updateSent();
    this.written = false;
    this.connectionReusable = true;
    this.releasePermit();
    if (this.phase !== 'body') return;
    // Without a length or chunks, the response ends with its connection. After a reset it is incomplete.
    const reset = this.framed ? null : (this.socket?.errored ?? null);
    if (reset !== null) return this.fail('reset', failure.cutShort(reset));
    if (this.decoder === null) return this.succeed();
    this.phase = 'decoding';
    this.deadline.stop();
    this.decoder.end();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.controller === null && failure.isConnectFailure(error)) {
      // The idle connection was reset before the request was written to it, so another connection is safe.
      if (this.phase === 'connecting' && this.lane!.requests > 1) return this.connect();
      this.upstream.breaker.onRefused();
      if (this.phase === 'connecting' && this.retryLater()) return;
    }
    this.releasePermit();
    const begun = this.controller !== null;
    if (this.phase !== 'over') this.fail(failure.reasonOf(error, begun), failure.failureOf(error, begun));
  }

  private connect(): void {
    this.phase = 'connecting';
    const { method, path, headers, body } = this.request;
    if (this.lane !== null) this.upstream.pool.drop(this.lane);
    this.lane = this.upstream.pool.take();
    // undici reports all errors to this handler, possibly before `dispatch` returns.
    this.lane.client.dispatch({ method, path: this.upstream.pathOf(path), headers, body }, this);
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

  private deliver(chunk: Buffer): void {
    try {
      this.sink.onData(chunk);
    } catch (error) {
      this.abortWith('internal', internalError(error));
    }
  }

  private prepareDecoder(status: number, headers: IncomingHttpHeaders): boolean {
    const encoding = takeEncoding(status, headers);
    if (encoding === null) return true;
    if (!ContentDecoder.knows(encoding)) {
      this.abortWith('encoding', failure.unknownEncoding(encoding));
      return false;
    }
    this.decoder = new ContentDecoder(encoding, {
      onData: (chunk) => this.deliver(chunk),
      onEnd: () => this.succeed(),
      onError: (error) => this.abortWith('encoding', failure.cutShort(error)),
      onDrain: () => this.resumeSocket(),
    });
    return true;
  }

  // Does nothing after the last byte, because undici would treat the response as incomplete if the upstream then closed the
  // connection.
  private pauseSocket(): void {
    if (this.bytesLeft > 0) this.controller?.pause();
  }

  private resumeSocket(): void {
    if (this.phase !== 'body') return;
    this.deadline.set(this.upstream.limits.idleMs);
    this.controller?.resume();
  }

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

  private succeed(): void {
    if (this.phase === 'over') return;
    this.phase = 'over';
    this.deadline.stop();
    try {
      this.sink.onEnd();
    } catch (error) {
      this.sink.onError(internalError(error), { reason: 'internal', reached: true });
    }
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
    if (pausing) this.releasePermit();
  }

  private updateSent(): void {
    if (this.written && this.phase !== 'over') this.sent ||= this.socket?.writableLength === 0;
  }

  private releasePermit(): void {
    if (!this.holdsPermit) return;
    this.holdsPermit = false;
    // A waiting request can get the same connection, so undici must finish with this one first.
    if (this.upstream.permits.waiting === 0) this.release();
    else setImmediate(() => this.release());
  }

  private release(): void {
    if (this.lane !== null && this.connectionReusable) this.upstream.pool.release(this.lane);
    else if (this.lane !== null) this.upstream.pool.drop(this.lane);
    this.lane = null;
    this.upstream.permits.release(this.holder);
  }
}
