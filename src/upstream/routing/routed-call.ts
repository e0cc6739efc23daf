import type { IncomingHttpHeaders } from 'node:http';
import { internalError, ownerUnavailable, upstreamError } from '../../platform/errors/error-factories.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import { Guarded, type FaultHandler } from '../../platform/errors/guarded.js';
import type { Candidate } from '../../model-policy/upstream-candidates.service.js';
import type { FallbackReason } from '../../platform/config/upstreams/upstreams-file.js';
import type { Attempt } from '../../platform/request-context/request-context.js';
import { askedPauseMs } from '../rate-limit-headers.rules.js';
import type { RequestKind } from '../request-kind.rules.js';
import { NOT_SENT, type SendFailure, type UpstreamExchange, type UpstreamSink } from '../send-contract.js';
import { notProcessed } from '../upstream-failure.js';
import type { PressedRequest } from '../upstream-pressure.js';
import { canHaveFallback, fallbackReasonOf } from './fallback-reason.rules.js';
import { HeldErrorBody, heldSuccess, type HeldBeginning } from './held-beginning.js';
import { errorOfBody } from './provider-error.rules.js';
import {
  failsOver,
  isOverload,
  verdictOf,
  verdictOfEvent,
  type FailoverRules,
  type JudgedRequest,
  type Verdict,
} from './response-verdict.rules.js';

/** The rest of an unneeded response is read up to this length, so that its connection can be reused. */
const DISCARDED_BYTES_MAX = 64 * 1024;
const DISCARDED_MS_MAX = 2_000;
/** How long the body of an error response can take before its status alone decides. */
const ERROR_BODY_MS_MAX = 1_000;
/** An attempt can always connect for this long, regardless of the number of candidates. */
const CONNECT_MS_MIN = 500;

/** The upstreams of each fallback model, in the order of preference. */
export type Fallbacks = Readonly<Partial<Record<FallbackReason, readonly Candidate[]>>>;

export interface RoutedRequest {
  /** At least one, in the order of preference. */
  readonly candidates: readonly Candidate[];
  /** Null if no other model can serve the request. */
  readonly fallbacks: Fallbacks | null;
  readonly kind: RequestKind;
  /** The path names an object whose upstream is unknown, so a 404 moves the request to the next candidate. */
  readonly ownerUnknown: boolean;
  /** The upstream of an object that the request names, which is then the only candidate. */
  readonly owner: string | null;
  /** The path or the body names a stored object, which the account might not have. */
  readonly namesObject: boolean;
  /** After this time, the current attempt is the last one. */
  readonly deadlineMs: number;
  /** False once a streamed body has been read from, because it cannot be read again. */
  canRepeat(): boolean;
  /** @param connectMsMax set if another candidate follows. See `UpstreamRequest` */
  send(candidate: Candidate, sink: UpstreamSink, connectMsMax?: number): void;
  /** Called when an attempt has its status or has failed. */
  onAttempt(attempt: Attempt): void;
  /** @returns the error message in this response body, redacted and shortened, or null */
  messageOf(body: Buffer): string | null;
}

/**
 * Sends a request to its candidates in order, until one serves it. `sink` sees one exchange. It moves to the next candidate only
 * before the response headers reach `sink`. The request must be unprocessed, or the operator must allow resending it.
 *
 * If the route has a fallback model for the error in the response, its upstreams get the request. A fallback has no fallback itself.
 */
export class RoutedCall implements UpstreamExchange {
  private startedAtMs = performance.now();
  private candidates: readonly Candidate[];
  private fallbacks: Fallbacks | null;
  private current: UpstreamExchange | null = null;
  private attempt: RoutedAttempt | null = null;
  private reachedEarlier = false;
  private at = 0;
  private over = false;
  /** The time that does not count against the deadline. */
  private uncountedMs = 0;

  constructor(
    private readonly request: RoutedRequest,
    private readonly sink: UpstreamSink,
  ) {
    this.candidates = request.candidates;
    this.fallbacks = request.fallbacks;
  }

  start(): void {
    this.sink.onStart(this);
    if (!this.over) this.send();
  }

  get reached(): boolean {
    return this.reachedEarlier || this.current?.reached === true;
  }

  get sentWhole(): boolean {
    return this.current?.sentWhole === true;
  }

  abort(): void {
    this.over = true;
    this.attempt?.onAborted();
    this.current?.abort();
  }

  noteFault(): void {
    this.current?.noteFault();
  }

  /** The response that is being forwarded contains this error, as JSON if it is known. */
  noteReportedError(json: string | null): void {
    this.attempt?.onReportedError(json);
  }

  pause(): void {
    this.current?.pause();
  }

  resume(): void {
    this.current?.resume();
  }

  /** How long the request can still move to another candidate. Negative after the deadline. */
  get leftMs(): number {
    return this.request.deadlineMs + this.uncountedMs - (performance.now() - this.startedAtMs);
  }

  get canMove(): boolean {
    return !this.isLast && this.canRepeat && this.leftMs > 0;
  }

  /** Another candidate can serve the request instead of the last one. */
  get hasChoice(): boolean {
    return this.candidates.length > 1;
  }

  /** This time does not count against the deadline. */
  exclude(ms: number): void {
    this.uncountedMs += ms;
  }

  /**
   * Makes the next candidate the current one. `send` then sends to it.
   * @returns false if the result of the current candidate is final
   */
  takeNextCandidate(): boolean {
    if (!this.canMove) return false;
    this.reachedEarlier = this.reached;
    this.candidate.upstream.history.failovers += 1;
    this.at += 1;
    return true;
  }

  /**
   * Makes the upstreams of the fallback model for this error the candidates. `send` then sends to the first.
   * @param body of the error response
   * @returns false if the error has no fallback model
   */
  takeFallback(status: number, body: Buffer): boolean {
    if (this.fallbacks === null || !canHaveFallback(status) || !this.canRepeat) return false;
    const reason = fallbackReasonOf(body);
    const candidates = reason === null ? undefined : this.fallbacks[reason];
    if (reason === null || candidates === undefined) return false;
    this.reachedEarlier = this.reached;
    this.fallbacks = null;
    this.candidates = candidates;
    this.at = 0;
    this.startedAtMs = performance.now();
    this.uncountedMs = 0;
    this.candidate.upstream.history.fallbacks[reason] += 1;
    return true;
  }

  /** Sends the request to the current candidate. Called again by an attempt after `takeNextCandidate` or `takeFallback`. */
  send(): void {
    const { candidate, request, sink } = this;
    candidate.upstream.history.attempts += 1;
    this.attempt = new RoutedAttempt(candidate, this, request, sink);
    try {
      request.send(candidate, this.attempt, this.connectMsMax);
    } catch (error) {
      sink.onError(error instanceof GatewayError ? error : internalError(error), NOT_SENT);
    }
  }

  /** Called by each attempt when its exchange starts, so that `abort`, `pause` and `resume` reach it. */
  started(exchange: UpstreamExchange): void {
    this.current = exchange;
  }

  /** The candidates share the time until the deadline, so that hanging connections leave time for the others. */
  private get connectMsMax(): number | undefined {
    if (this.isLast) return undefined;
    return Math.max(CONNECT_MS_MIN, this.leftMs / (this.candidates.length - this.at));
  }

  private get canRepeat(): boolean {
    return !this.over && this.request.canRepeat();
  }

  private get isLast(): boolean {
    return this.at + 1 >= this.candidates.length;
  }

  private get candidate(): Candidate {
    return this.candidates[this.at]!;
  }
}

/**
 * - `waiting`: for the response headers.
 * - `judging`: the beginning of the response is held, because it decides whether the call moves on.
 */
type AttemptState = 'waiting' | 'judging' | 'forwarding' | 'discarding';

interface ResponseStart {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** From the start of the attempt. */
  readonly ms: number;
}

/** Passes the events of one attempt to the sink, unless the call moves on to another candidate. */
class RoutedAttempt implements UpstreamSink, FaultHandler {
  private readonly startedAtMs = performance.now();
  /** By the clock of the upstream's pressure. */
  private readonly sentAtMs: number;
  private state: AttemptState = 'waiting';
  private exchange: UpstreamExchange | null = null;
  private response!: ResponseStart;
  /** The beginning of the response, while it is judged. */
  private beginning: HeldBeginning | null = null;
  private discardedBytes = 0;
  /** The upstream's state already reflects an error in this response. */
  private isErrorNoted = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly candidate: Candidate,
    private readonly call: RoutedCall,
    private readonly request: RoutedRequest,
    private readonly sink: UpstreamSink,
  ) {
    const { upstream } = candidate;
    this.sentAtMs = upstream.isNamed ? upstream.pressure.now() : 0;
    if (upstream.isNamed) upstream.pressure.onSent(this.pressed);
  }

  onStart(exchange: UpstreamExchange): void {
    this.exchange = exchange;
    this.call.started(exchange);
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.response = { status, headers, ms: performance.now() - this.startedAtMs };
    // Without names, there is one candidate, and nothing reads the records.
    if (!this.candidate.upstream.isNamed) {
      this.state = 'forwarding';
      return this.sink.onHead(status, headers);
    }
    const isError = status >= 400;
    if (isOverload(status) && this.call.canMove)
      return this.conclude({ effect: 'limited', limits: ['requests'], status });
    const isJudged = isError || (status < 300 && this.call.hasChoice);
    this.beginning = isError ? new HeldErrorBody(status, headers) : isJudged ? heldSuccess(status, headers) : null;
    if (this.beginning === null) return this.conclude(verdictWithoutBody(status));
    // The response to the last candidate is only observed.
    if (!isError && !this.call.canMove) return this.forward();
    this.state = 'judging';
    this.timer = setTimeout(() => this.onTimeout(), isError ? ERROR_BODY_MS_MAX : this.call.leftMs).unref();
  }

  onData(chunk: Buffer): void {
    switch (this.state) {
      case 'judging':
        if (this.beginning!.push(chunk)) this.judge();
        return;
      case 'forwarding':
        this.observe(chunk);
        return this.sink.onData(chunk);
      case 'waiting':
      case 'discarding':
        return this.discard(chunk);
      default:
        return this.state satisfies never;
    }
  }

  onEnd(): void {
    clearTimeout(this.timer);
    if (this.state === 'judging') this.judge();
    else this.observeEnd();
    if (this.state === 'forwarding') this.sink.onEnd();
  }

  onError(error: GatewayError, failure: SendFailure): void {
    clearTimeout(this.timer);
    switch (this.state) {
      case 'discarding':
        return;
      case 'forwarding':
        this.noteBroken(failure);
        return this.sink.onError(error, failure);
      case 'judging':
        // The status is known, even if the body of the error is incomplete.
        if (this.response.status >= 400) {
          this.judge();
          if (this.isForwarding) this.sink.onError(error, failure);
          return;
        }
        return this.fail(error, failure);
      case 'waiting':
        return this.fail(error, failure);
      default:
        return this.state satisfies never;
    }
  }

  /** The client has disconnected, or its body is invalid. Records the attempt unless its outcome is known. */
  onAborted(): void {
    clearTimeout(this.timer);
    if (this.state !== 'waiting' && this.state !== 'judging') return;
    this.state = 'discarding';
    const { upstream } = this.candidate;
    if (!upstream.isNamed) return;
    upstream.pressure.onUnknown(this.pressed);
    this.noteAttempt(null, ABORTED);
  }

  onReportedError(json: string | null): void {
    if (!this.candidate.upstream.isNamed || this.isErrorNoted || this.response.status >= 300) return;
    const body = Buffer.from(`{"error":${json ?? '{}'}}`);
    const verdict = verdictOfEvent(errorOfBody(body.toString()), this.response.headers, this.judged);
    this.beginning = null;
    if (verdict.effect !== 'served') this.notePressure(verdict, body, true);
  }

  fault(error: unknown): void {
    this.exchange?.noteFault();
    this.exchange?.abort();
    this.sink.onError(notProcessed(error), { reason: 'internal', reached: true });
  }

  @Guarded
  private onTimeout(): void {
    if (this.state === 'discarding') this.exchange?.abort();
    else if (this.state === 'judging') this.judge();
  }

  private judge(): void {
    this.conclude(this.beginning!.verdict(this.judged));
  }

  /** The request moves on, or the response is forwarded. */
  private conclude(given: Verdict): void {
    clearTimeout(this.timer);
    const { candidate, request, call } = this;
    const rules: FailoverRules = { ...candidate, ownerUnknown: request.ownerUnknown };
    const moves = failsOver(given, rules);
    // The operator's list shows that this status is the upstream's fault.
    const isListed = moves && given.effect === 'served' && candidate.failoverStatuses.includes(given.status);
    const verdict: Verdict = isListed && !request.ownerUnknown ? { effect: 'failed', status: given.status } : given;
    this.note(verdict);
    const isMoved = moves && call.takeNextCandidate();
    if (!isMoved && !this.takeFallback()) return this.conclusive(verdict);
    if (this.response.status < 300) candidate.upstream.failures.error_object += 1;
    this.discardRest();
    call.send();
  }

  /** The response is that of the last candidate. */
  private conclusive({ effect, status }: Verdict): void {
    const { owner } = this.request;
    const state = this.unavailableState;
    if (owner === null || state === null || (effect !== 'refused' && effect !== 'failed')) return this.forward();
    const headers = { 'x-gw-upstream-status': String(status) };
    const cause = upstreamError(`The upstream returned status ${status}.`, { headers });
    this.discardRest();
    this.sink.onError(ownerUnavailable(owner, state, cause), { reason: 'status', reached: true });
  }

  private discardRest(): void {
    this.state = 'discarding';
    this.timer = setTimeout(() => this.onTimeout(), DISCARDED_MS_MAX).unref();
  }

  /** The state of this upstream for such requests, if it does not serve them. */
  private get unavailableState(): 'refused' | 'failing' | null {
    const state = this.candidate.upstream.pressure.statusOf(this.candidate.model, this.request.kind);
    return state === 'refused' || state === 'failing' ? state : null;
  }

  private takeFallback(): boolean {
    const { beginning, response } = this;
    return beginning !== null && this.call.takeFallback(response.status, beginning.error);
  }

  private forward(): void {
    const { status, headers } = this.response;
    const { beginning } = this;
    const isObserved = this.state === 'waiting' && beginning !== null;
    this.state = 'forwarding';
    if (isObserved) this.noteAttempt(status, null);
    else this.beginning = null;
    this.sink.onHead(status, headers);
    if (!isObserved) for (const chunk of beginning?.chunks ?? []) this.sink.onData(chunk);
  }

  /** The last candidate's response is forwarded at once, and its first event only shows how the upstream is. */
  private observe(chunk: Buffer): void {
    if (this.beginning?.push(chunk) === true) this.observeEnd();
  }

  private observeEnd(): void {
    const { beginning } = this;
    if (beginning === null) return;
    this.beginning = null;
    this.notePressure(beginning.verdict(this.judged), beginning.error);
  }

  private discard(chunk: Buffer): void {
    this.discardedBytes += chunk.length;
    if (this.discardedBytes <= DISCARDED_BYTES_MAX) return;
    clearTimeout(this.timer);
    this.exchange?.abort();
  }

  /** There is no response. */
  private fail(error: GatewayError, failure: SendFailure): void {
    const { candidate, call } = this;
    this.noteFailure(failure);
    // The operator accepts the wait for a response.
    if (failure.reached && candidate.repeatSent) call.exclude(performance.now() - this.startedAtMs);
    if (!failsOverAfterFailure(failure, candidate.repeatSent) || !call.takeNextCandidate()) {
      this.state = 'forwarding';
      return this.sink.onError(this.finalError(error, failure), failure);
    }
    this.state = 'discarding';
    call.send();
  }

  /** Only the owner can serve the request, so the client should know why no other upstream got it. */
  private finalError(error: GatewayError, { reached, reason }: SendFailure): GatewayError {
    const { owner } = this.request;
    const state = reached ? this.unavailableState : 'unreachable';
    return owner === null || state === null || reason === 'internal' ? error : ownerUnavailable(owner, state, error);
  }

  private noteFailure(failure: SendFailure): void {
    const { upstream } = this.candidate;
    if (!upstream.isNamed) return;
    if (failure.reached && failure.reason !== 'internal') {
      upstream.pressure.onFailed(this.pressed);
      this.noteError(null, failure.reason);
    } else upstream.pressure.onUnknown(this.pressed);
    this.noteAttempt(null, failure.reason);
  }

  /** The response has begun, so the upstream counted as working. */
  private noteBroken({ reason }: SendFailure): void {
    const { upstream } = this.candidate;
    if (!upstream.isNamed || reason === 'internal' || this.response.status >= 400) return;
    this.beginning = null;
    upstream.pressure.onBroken(this.pressed);
    this.noteError(this.response.status, reason);
  }

  private note(verdict: Verdict): void {
    const { status } = this.response;
    const isEvent = status < 300 && verdict.effect !== 'served';
    this.notePressure(verdict, this.beginning?.error ?? null);
    this.noteAttempt(isEvent ? verdict.status : status, isEvent ? 'error_object' : null, this.response.ms);
  }

  /**
   * @param body the error of the response, or null if it was not read
   * @param hasBegun the response already counts as a success
   */
  private notePressure(verdict: Verdict, body: Buffer | null, hasBegun = false): void {
    const { pressed } = this;
    const { pressure } = this.candidate.upstream;
    const { headers } = this.response;
    this.isErrorNoted = verdict.effect !== 'served';
    switch (verdict.effect) {
      case 'served':
        return pressure.onResponse(pressed, headers);
      case 'limited':
        for (const limit of verdict.limits) pressure.onRejected(pressed, askedPauseMs(headers, limit), limit);
        break;
      case 'refused':
        pressure.onRefused(pressed, verdict.scope);
        break;
      case 'failed':
        if (hasBegun) pressure.onBroken(pressed);
        else pressure.onFailed(pressed);
        break;
      default:
        return verdict satisfies never;
    }
    this.noteError(verdict.status, (body === null ? null : this.request.messageOf(body)) ?? `status ${verdict.status}`);
  }

  private noteError(status: number | null, message: string): void {
    const { upstream, model } = this.candidate;
    upstream.history.lastError = { at: new Date(), status, model: model === '' ? null : model, message };
  }

  private noteAttempt(status: number | null, error: Attempt['error'], ms = performance.now() - this.startedAtMs): void {
    const { upstream, model } = this.candidate;
    // Errors are faster than responses. A timeout is at least as slow.
    if ((status !== null && status < 300) || error === 'head_timeout') upstream.history.latencies.note(model, ms);
    const attempted = model === '' ? null : model;
    this.request.onAttempt({ upstream: upstream.name, model: attempted, status, error, ms: Math.round(ms) });
  }

  private get judged(): JudgedRequest {
    return { model: this.candidate.model, namesObject: this.request.namesObject };
  }

  private get pressed(): PressedRequest {
    return { model: this.candidate.model, kind: this.request.kind, sentAtMs: this.sentAtMs };
  }

  /** A method, because `judge` changes the state. */
  private get isForwarding(): boolean {
    return this.state === 'forwarding';
  }
}

/** The `error` of an attempt that neither responded nor failed. */
const ABORTED = 'aborted';

/** A response below 400 whose body shows nothing about the upstream. */
const verdictWithoutBody = (status: number): Verdict =>
  verdictOf({ status, headers: {}, body: null }, { model: '', namesObject: false });

/** Whether another upstream should get a request that failed without a response. */
function failsOverAfterFailure({ reason, reached }: SendFailure, repeatSent: boolean): boolean {
  // The request itself is at fault.
  if (reason === 'internal') return false;
  return !reached || repeatSent;
}
