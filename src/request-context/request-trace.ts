import type { GatewayRouteSpec, RouteSpec } from '../routes/route-spec.js';
import type { TokenUsage } from './token-usage.js';

/** What a trace tells of a request that has ended: a part of its context, with no byte of a header or body. */
export interface TracedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: RouteSpec | null;
  readonly model: string | null;
  readonly upstream: { readonly answeredModel: string | null };
  readonly usage: TokenUsage | null;
  readonly response: { readonly errorCode: string | null };
}

/** The spans of one request, from its head to its end. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /**
   * The upstream call begins.
   * @returns the `traceparent` that goes along: of this trace, by the span of that call (D6)
   */
  beginUpstream(upstream: GatewayRouteSpec['upstream'], method: string): string;
  /**
   * The upstream call has ended.
   * @param status null: there was no answer
   * @param failure what it failed by; null: it did not
   */
  endUpstream(status: number | null, failure: string | null): void;
  /**
   * The answer has ended.
   * @param status null: the client went before there was one
   * @param endedAtMs by `performance.now()`
   */
  end(request: TracedRequest, status: number | null, endedAtMs: number): void;
}
