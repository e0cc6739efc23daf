import type { IncomingHttpHeaders } from 'node:http';
import type { Candidate } from '../../model-policy/upstream-candidates.service.js';
import type { FallbackReason } from '../../platform/config/upstreams/upstreams-file.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import type { SendFailure, UpstreamExchange, UpstreamSink } from '../send-contract.js';
import { canHaveFallback, fallbackReasonOf } from './fallback-reason.rules.js';
import { RoutedCall, type RoutedRequest } from './routed-call.js';

/** A longer error is forwarded without being read. */
const ERROR_BYTES_MAX = 64 * 1024;

/** The upstreams of each fallback model, in the order of preference. */
export type Fallbacks = Readonly<Partial<Record<FallbackReason, readonly Candidate[]>>>;

/**
 * Sends a request like `RoutedCall`. If the route has a fallback model for the error in the response, its upstreams get the request.
 * `sink` then sees only their response. A fallback model has no fallback itself.
 */
export class FallbackCall implements UpstreamExchange, UpstreamSink {
  private call: RoutedCall;
  private started = false;
  /** Set while the error response is held. */
  private held: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly chunks: Buffer[] } | null =
    null;
  private heldBytes = 0;
  private over = false;
  private isFallback = false;

  constructor(
    private readonly request: RoutedRequest,
    private readonly fallbacks: Fallbacks,
    private readonly sink: UpstreamSink,
  ) {
    this.call = new RoutedCall(request, this);
  }

  start(): void {
    this.call.start();
  }

  get reached(): boolean {
    return this.isFallback || this.call.reached;
  }

  get sentWhole(): boolean {
    return this.call.sentWhole;
  }

  abort(): void {
    this.over = true;
    this.call.abort();
  }

  noteFault(): void {
    this.call.noteFault();
  }

  pause(): void {
    this.call.pause();
  }

  resume(): void {
    this.call.resume();
  }

  /** `sink` controls this call, whichever model is used. */
  onStart(): void {
    if (this.started) return;
    this.started = true;
    this.sink.onStart(this);
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    if (this.isFallback || !canHaveFallback(status) || !this.request.canRepeat())
      return this.sink.onHead(status, headers);
    this.held = { status, headers, chunks: [] };
  }

  onData(chunk: Buffer): void {
    if (this.held === null) return this.sink.onData(chunk);
    this.held.chunks.push(chunk);
    this.heldBytes += chunk.length;
    if (this.heldBytes > ERROR_BYTES_MAX) this.forwardHeld();
  }

  onEnd(): void {
    if (this.held === null) return this.sink.onEnd();
    const reason = fallbackReasonOf(Buffer.concat(this.held.chunks));
    const candidates = reason === null ? undefined : this.fallbacks[reason];
    if (reason !== null && candidates !== undefined && !this.over) return this.sendTo(candidates, reason);
    this.forwardHeld();
    this.sink.onEnd();
  }

  onError(error: GatewayError, failure: SendFailure): void {
    this.forwardHeld();
    this.sink.onError(error, failure);
  }

  private sendTo(candidates: readonly Candidate[], reason: FallbackReason): void {
    this.held = null;
    this.isFallback = true;
    candidates[0]!.upstream.history.fallbacks[reason] += 1;
    this.call = new RoutedCall({ ...this.request, candidates }, this);
    this.call.start();
  }

  private forwardHeld(): void {
    const { held } = this;
    if (held === null) return;
    this.held = null;
    this.sink.onHead(held.status, held.headers);
    for (const chunk of held.chunks) this.sink.onData(chunk);
  }
}
