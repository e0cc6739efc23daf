import type { IncomingHttpHeaders } from 'node:http';
import { internalError } from '../../platform/errors/error-factories.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import type { Candidate } from '../../model-policy/upstream-candidates.service.js';
import type { Attempt } from '../../platform/request-context/request-context.js';
import { retryAfterMsOf } from '../upstream-pressure.js';
import { NOT_SENT, type SendFailure, type UpstreamExchange, type UpstreamSink } from '../upstream-exchange.js';
import { isRejection, failsOverAfterFailure, failsOverAfterStatus } from './failover.rules.js';

/** The rest of an unneeded response is read up to this length, so that its connection can be reused. */
const DISCARDED_BYTES_MAX = 64 * 1024;
const DISCARDED_MS_MAX = 2_000;
/**
 * Total connecting time after which a request tries no further candidate. Without it, dozens of hanging upstreams would hold a
 * request for minutes.
 */
const CONNECTING_MS_MAX = 60_000;

export interface RoutedRequest {
  /** At least one, in the order of preference. */
  readonly candidates: readonly Candidate[];
  /** The path names an object whose upstream is unknown, so a 404 moves the request to the next candidate. */
  readonly ownerUnknown: boolean;
  /** False once a streamed body has been read from, because it cannot be read again. */
  canRepeat(): boolean;
  /** @param isLast no other candidate follows */
  send(candidate: Candidate, sink: UpstreamSink, isLast: boolean): void;
  /** Called when an attempt has its status or has failed. */
  onAttempt(attempt: Attempt): void;
}

/**
 * Sends a request to its candidates in order, until one serves it. `sink` sees one exchange. It moves to the next candidate only
 * before the response headers reach `sink`. The request must be unprocessed, or the operator must allow resending it.
 */
export class RoutedCall implements UpstreamExchange {
  private current: UpstreamExchange | null = null;
  private at = 0;
  private over = false;
  private connectingMs = 0;

  constructor(
    private readonly request: RoutedRequest,
    private readonly sink: UpstreamSink,
  ) {}

  start(): void {
    this.sink.onStart(this);
    if (!this.over) this.send();
  }

  get sentWhole(): boolean {
    return this.current?.sentWhole === true;
  }

  abort(): void {
    this.over = true;
    this.current?.abort();
  }

  noteFault(): void {
    this.current?.noteFault();
  }

  pause(): void {
    this.current?.pause();
  }

  resume(): void {
    this.current?.resume();
  }

  /**
   * @param connectingMs how long the current candidate could not be reached
   * @returns false if the result of the current candidate is final
   */
  moveOn(connectingMs = 0): boolean {
    this.connectingMs += connectingMs;
    if (this.over || this.isLast || !this.request.canRepeat() || this.connectingMs > CONNECTING_MS_MAX) return false;
    this.candidate.upstream.history.failovers += 1;
    this.at += 1;
    return true;
  }

  send(): void {
    const { candidate, request, sink } = this;
    candidate.upstream.history.attempts += 1;
    const listeners = {
      call: this,
      sink,
      ownerUnknown: request.ownerUnknown,
      started: (exchange: UpstreamExchange) => (this.current = exchange),
    };
    const attempt = new AttemptSink(candidate, listeners, (noted) => request.onAttempt(noted));
    try {
      request.send(candidate, attempt, this.isLast);
    } catch (error) {
      sink.onError(error instanceof GatewayError ? error : internalError(error), NOT_SENT);
    }
  }

  private get isLast(): boolean {
    return this.at + 1 >= this.request.candidates.length;
  }

  private get candidate(): Candidate {
    return this.request.candidates[this.at]!;
  }
}

interface AttemptOwner {
  readonly call: RoutedCall;
  readonly sink: UpstreamSink;
  readonly ownerUnknown: boolean;
  started(exchange: UpstreamExchange): void;
}

/** Passes the events of one attempt to the sink, unless the call moves on to another candidate. */
class AttemptSink implements UpstreamSink {
  private readonly startedAtMs = performance.now();
  private exchange: UpstreamExchange | null = null;
  private discardedBytes: number | null = null;
  private discardTimer: NodeJS.Timeout | undefined;
  private headSeen = false;

  constructor(
    private readonly candidate: Candidate,
    private readonly owner: AttemptOwner,
    private readonly onAttempt: (attempt: Attempt) => void,
  ) {}

  onStart(exchange: UpstreamExchange): void {
    this.exchange = exchange;
    this.owner.started(exchange);
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.headSeen = true;
    const { upstream } = this.candidate;
    // Nothing reads these records without names.
    if (upstream.isNamed) {
      this.notePressure(status, headers);
      this.note(status, null);
    }
    const moves = failsOverAfterStatus(status, {
      repeatSent: this.candidate.repeatSent,
      ownerUnknown: this.owner.ownerUnknown,
    });
    if (!moves || !this.owner.call.moveOn()) return this.owner.sink.onHead(status, headers);
    this.discardedBytes = 0;
    this.discardTimer = setTimeout(() => this.exchange?.abort(), DISCARDED_MS_MAX).unref();
    this.owner.call.send();
  }

  onData(chunk: Buffer): void {
    if (this.discardedBytes === null) return this.owner.sink.onData(chunk);
    this.discardedBytes += chunk.length;
    if (this.discardedBytes <= DISCARDED_BYTES_MAX) return;
    clearTimeout(this.discardTimer);
    this.exchange?.abort();
  }

  onEnd(): void {
    clearTimeout(this.discardTimer);
    if (this.discardedBytes === null) this.owner.sink.onEnd();
  }

  onError(error: GatewayError, failure: SendFailure): void {
    clearTimeout(this.discardTimer);
    if (this.discardedBytes !== null) return;
    if (this.headSeen) return this.owner.sink.onError(error, failure);
    const { upstream, model, repeatSent } = this.candidate;
    if (upstream.isNamed) {
      if (failure.reached && failure.reason !== 'internal') upstream.pressure.onHung(model);
      this.note(null, failure.reason);
    }
    const connectingMs = failure.reached ? 0 : performance.now() - this.startedAtMs;
    if (!failsOverAfterFailure(failure, repeatSent) || !this.owner.call.moveOn(connectingMs))
      return this.owner.sink.onError(error, failure);
    this.discardedBytes = 0;
    this.owner.call.send();
  }

  private notePressure(status: number, headers: IncomingHttpHeaders): void {
    const { upstream, model } = this.candidate;
    if (isRejection(status)) upstream.pressure.onRejected(model, retryAfterMsOf(headers));
    else if (status < 500) upstream.pressure.onResponse(model, headers);
  }

  private note(status: number | null, error: Attempt['error']): void {
    const { upstream, model } = this.candidate;
    const ms = Math.round(performance.now() - this.startedAtMs);
    this.onAttempt({ upstream: upstream.name, model: model === '' ? null : model, status, error, ms });
  }
}
