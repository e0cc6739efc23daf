import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { internalError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { ContentDecoder, takeEncoding } from './content-decoder.js';
import { Deadline } from './deadline.js';
import * as failure from './upstream-failure.js';
import type { FailureReason } from './upstream-failure.js';
import type { PermitWaiter } from '../fairness/connection-permits.js';
import { takeSocket } from './request-socket.js';
import { retryPauseMs } from './connect-retry.rules.js';
import type { UpstreamExchange, UpstreamRequest, UpstreamSink } from './upstream-exchange.js';
import type { UpstreamOrigin, Lane } from './upstream-pool.js';

const ABORTED = new Error('the request was given up');

/** `over`: the sink hears nothing more. The permit may outlive it, until the pool has let go of the request. */
type Phase = 'waiting' | 'connecting' | 'pausing' | 'head' | 'body' | 'decoding' | 'over';

/** One request through its phases: its permit, its time limits, its tries. Each way out gives the permit back. */
export class UpstreamCall implements UpstreamExchange, PermitWaiter, Dispatcher.DispatchHandler {
  readonly holder: string;
  socket: Socket | null = null;
  private phase: Phase = 'waiting';
  private controller: Dispatcher.DispatchController | null = null;
  private decoder: ContentDecoder | null = null;
  private readonly deadline: Deadline;
  private holdsPermit = false;
  private lane: Lane | null = null;
  private ended = false;
  private tries = 0;
  /** `performance.now()` by which a connection must be there. */
  private connectBy = 0;
  /** Infinity where no length was announced. */
  private bytesLeft = Infinity;
  private framed = true;
  /** All of the request has been handed to the socket: what waits there is not sent yet. */
  private written = false;
  private sent = false;

  constructor(
    private readonly origin: UpstreamOrigin,
    private readonly request: UpstreamRequest,
    private readonly sink: UpstreamSink,
  ) {
    this.holder = request.holder;
    this.deadline = new Deadline(Math.min(origin.limits.headMs, origin.limits.idleMs), this);
  }

  start(): void {
    this.sink.onStart(this);
    const secondsToWait = this.origin.breaker.secondsToWait();
    if (secondsToWait > 0) this.fail('breaker', failure.refusedByBreaker(secondsToWait));
    else if (this.origin.permits.take(this.holder)) this.onPermit();
    else if (this.origin.permits.wait(this)) this.deadline.set(this.origin.limits.connectMs);
    else this.fail('no_connection', failure.noFreeConnection());
  }

  get sentWhole(): boolean {
    this.noteSent();
    return this.sent;
  }

  abort(): void {
    if (this.phase === 'over') return;
    if (this.phase === 'waiting') this.origin.permits.leave(this);
    this.letGo();
  }

  pause(): void {
    this.decoder?.pause();
    this.pauseWire();
  }

  resume(): void {
    this.decoder?.resume();
    if (this.decoder?.full !== true) this.resumeWire();
  }

  onPermit(): void {
    this.holdsPermit = true;
    this.connectBy = performance.now() + this.origin.limits.connectMs;
    this.connect();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it was connecting: thrown here the request ends and the connection is kept.
    if (this.phase === 'over') throw ABORTED;
    this.controller = controller;
    this.origin.breaker.onConnected();
    this.phase = 'head';
    // A stream minds its own time: the upstream's begins when the last byte of it has gone out.
    if (this.request.body instanceof Readable) this.deadline.stop();
    else this.deadline.set(this.origin.limits.headMs);
    takeSocket(this);
  }

  onRequestSent(): void {
    this.written = true;
    if (this.phase === 'head' && this.request.body instanceof Readable) this.deadline.set(this.origin.limits.headMs);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.phase !== 'head') return;
    if (status >= 300) this.origin.failures.status += 1;
    this.noteSent();
    this.phase = 'body';
    this.deadline.set(this.origin.limits.idleMs);
    const length = headers['content-length'];
    if (length !== undefined) this.bytesLeft = Number(length);
    this.framed = length !== undefined || headers['transfer-encoding'] !== undefined;
    try {
      if (this.prepareDecoder(status, headers)) this.sink.onHead(status, headers);
    } catch (error) {
      this.failAndLetGo('internal', internalError(error));
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.phase !== 'body') return;
    this.bytesLeft -= chunk.length;
    this.deadline.set(this.origin.limits.idleMs);
    if (this.decoder === null) this.passOn(chunk);
    else if (!this.decoder.write(chunk)) this.pauseWire();
  }

  onResponseEnd(): void {
    // From here on the socket may carry another request.
    this.noteSent();
    this.written = false;
    this.ended = true; // The connection can be used again.
    this.releasePermit();
    if (this.phase !== 'body') return;
    // Without a length or chunks the end of the connection is the end of the answer: a reset one is a cut answer.
    const reset = this.framed ? null : (this.socket?.errored ?? null);
    if (reset !== null) return this.fail('reset', failure.cutShort(reset));
    if (this.decoder === null) return this.succeed();
    this.phase = 'decoding';
    this.deadline.stop();
    this.decoder.end();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.controller === null && failure.isConnectFailure(error)) {
      // An idle connection was reset before the request was written to it.
      if (this.phase === 'connecting' && this.lane!.requests > 1) return this.connect();
      this.origin.breaker.onRefused();
      if (this.phase === 'connecting' && this.retryLater()) return;
    }
    this.releasePermit();
    const begun = this.controller !== null;
    if (this.phase !== 'over') this.fail(failure.reasonOf(error, begun), failure.failureOf(error, begun));
  }

  private connect(): void {
    this.phase = 'connecting';
    const { method, path, headers, body } = this.request;
    // The connection of the try before is closed.
    if (this.lane !== null) this.origin.pool.drop(this.lane);
    this.lane = this.origin.pool.take();
    // Errors, those of bad arguments too, come to this very handler, maybe before this returns.
    this.lane.client.dispatch({ method, path: this.origin.basePath + path, headers, body }, this);
    // On a free connection the request has begun by now, and minds another time limit.
    if (this.phase === 'connecting') this.deadline.set(this.connectBy - performance.now());
  }

  // Only where nothing of the request can have reached the upstream: it was never begun on any connection (D22).
  private retryLater(): boolean {
    this.tries += 1;
    const pauseMs = retryPauseMs(this.tries, this.connectBy - performance.now());
    if (pauseMs === null || this.origin.breaker.open) return false;
    this.phase = 'pausing';
    this.deadline.set(pauseMs);
    return true;
  }

  /** A fault of ours is this call's alone. */
  private passOn(chunk: Buffer): void {
    try {
      this.sink.onData(chunk);
    } catch (error) {
      this.failAndLetGo('internal', internalError(error));
    }
  }

  /** False: it cannot be decoded, and the call has failed. */
  private prepareDecoder(status: number, headers: IncomingHttpHeaders): boolean {
    const encoding = takeEncoding(status, headers);
    if (encoding === null) return true;
    if (!ContentDecoder.knows(encoding)) {
      this.failAndLetGo('encoding', failure.unknownEncoding(encoding));
      return false;
    }
    this.decoder = new ContentDecoder(encoding, {
      onData: (chunk) => this.passOn(chunk),
      onEnd: () => this.succeed(),
      onError: (error) => this.failAndLetGo('encoding', failure.cutShort(error)),
      onDrain: () => this.resumeWire(),
    });
    return true;
  }

  // With no byte left to come a pause would only hide the end; should the upstream close the connection meanwhile,
  // undici would take a whole answer for a cut one.
  private pauseWire(): void {
    if (this.bytesLeft > 0) this.controller?.pause();
  }

  private resumeWire(): void {
    if (this.phase !== 'body') return;
    this.deadline.set(this.origin.limits.idleMs);
    this.controller?.resume();
  }

  /** By its deadline: the time of the phase is over. */
  timedOut(): void {
    switch (this.phase) {
      case 'waiting':
        this.origin.permits.leave(this);
        return this.fail('no_connection', failure.noFreeConnection());
      case 'connecting':
        return this.failAndLetGo('connect', failure.connectTimedOut());
      case 'pausing':
        return this.connect();
      case 'head':
        return this.failAndLetGo('head_timeout', failure.headTimedOut());
      case 'body':
        // Our own pause is no silence of the upstream.
        if (this.controller?.paused === true) this.deadline.set(this.origin.limits.idleMs);
        else this.failAndLetGo('idle_timeout', failure.idleTimedOut());
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
      this.sink.onError(internalError(error));
    }
  }

  private failAndLetGo(reason: FailureReason, error: GatewayError): void {
    if (this.phase === 'over') return;
    this.origin.failures[reason] += 1;
    this.letGo();
    this.sink.onError(error);
  }

  private fail(reason: FailureReason, error: GatewayError): void {
    this.origin.failures[reason] += 1;
    this.close();
    this.sink.onError(error);
  }

  private close(): void {
    this.noteSent();
    this.phase = 'over';
    this.deadline.stop();
    this.decoder?.destroy();
  }

  /** Ends the request on the wire. One that is still connecting keeps its permit until the pool has reported. */
  private letGo(): void {
    const pausing = this.phase === 'pausing';
    this.close();
    this.controller?.abort(ABORTED);
    if (pausing) this.releasePermit();
  }

  private noteSent(): void {
    if (this.written && this.phase !== 'over') this.sent ||= this.socket?.writableLength === 0;
  }

  private releasePermit(): void {
    if (!this.holdsPermit) return;
    this.holdsPermit = false;
    // Whoever waits may be given the same connection: not before undici has done with this request, and has seen its end.
    if (this.origin.permits.waiting === 0) this.release();
    else setImmediate(() => this.release());
  }

  private release(): void {
    if (this.lane !== null && this.ended) this.origin.pool.giveBack(this.lane);
    else if (this.lane !== null) this.origin.pool.drop(this.lane);
    this.lane = null;
    this.origin.permits.release(this.holder);
  }
}
