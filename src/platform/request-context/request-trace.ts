import type { GatewayRouteSpec, RouteSpec } from '../routes/route-spec.js';
import type { TokenUsage } from './token-usage.js';

/** The part of a request that spans describe. It excludes headers; of the body, spans contain parameters only, never text. */
export interface TracedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: RouteSpec | null;
  readonly key: { readonly id: string } | null;
  readonly body: { readonly json: Readonly<Record<string, unknown>> | null };
  readonly stream: boolean;
  readonly model: string | null;
  readonly upstream: { readonly responseModel: string | null; readonly facts: ResponseFacts | null };
  readonly usage: TokenUsage | null;
  readonly response: {
    readonly errorCode: string | null;
    readonly errorReported: boolean;
    readonly firstByteAtMs: number | null;
  };
}

/** Facts that a traced response contains about itself, without credentials of the account. */
export interface ResponseFacts {
  readonly id: string | null;
  readonly model: string | null;
  /** In the order of the choices. */
  readonly finishReasons: readonly string[];
}

export interface TracedUpstream {
  readonly name: string;
  readonly baseUrl: URL;
  readonly api: GatewayRouteSpec['api'];
}

export interface RequestTrace {
  readonly traceId: string;
  /** Whether the trace is exported. Otherwise only its IDs are used. */
  readonly sampled: boolean;
  /**
   * Call it while the parsed body exists, because its parameters become attributes. A further call starts another attempt.
   * @param path of the upstream request, with or without a query
   * @returns the `traceparent` header for the upstream request (D6)
   */
  beginUpstream(request: TracedRequest, upstream: TracedUpstream, path: string): string;
  /** `status` is null without a response, `failure` without a failure. */
  endUpstream(status: number | null, failure: string | null): void;
  /** `status` is null if the client disconnected before the response headers. `endedAtMs` is from `performance.now()`. */
  end(request: TracedRequest, status: number | null, endedAtMs: number): void;
}
