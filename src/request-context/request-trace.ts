import type { GatewayRouteSpec, RouteSpec } from '../routes/route-spec.js';
import type { TokenUsage } from './token-usage.js';

/** It excludes headers and bodies. */
export interface TracedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: RouteSpec | null;
  readonly model: string | null;
  readonly upstream: { readonly answeredModel: string | null };
  readonly usage: TokenUsage | null;
  readonly response: { readonly errorCode: string | null };
}

export interface RequestTrace {
  readonly traceId: string;
  /** @returns the `traceparent` header for the upstream request (D6) */
  beginUpstream(upstream: GatewayRouteSpec['upstream'], method: string): string;
  /** `status` is null without a response, `failure` without a failure. */
  endUpstream(status: number | null, failure: string | null): void;
  /** `status` is null if the client disconnected before the response headers. `endedAtMs` is from `performance.now()`. */
  end(request: TracedRequest, status: number | null, endedAtMs: number): void;
}
