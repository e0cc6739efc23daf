import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../errors/error-code.data.js';
import type { GatewayError } from '../errors/gateway-error.js';
import type { RouteSpec } from '../routes/route-spec.js';
import type { AdminActor, CallerSession } from './caller-session.js';
import type { KeySnapshot, QuotaFigures } from './key-snapshot.js';
import type { RequestTrace, ResponseFacts } from './request-trace.js';
import type { Reservation, UsageProof } from './reservation.js';
import type { TokenUsage, UsageDetails } from './token-usage.js';
import { runGuarded } from '../errors/guarded.js';

/** The state of one request. Each stage of D1 writes its own fields and reads those of earlier stages. */
export class RequestContext {
  /** `performance.now()` when the request headers were read. `X-GW-Latency` counts from here. */
  readonly startedAtMs = performance.now();
  readonly client = new ClientHeaders();
  trace: RequestTrace | null = null;

  // Stage 1, route
  route: RouteSpec | null = null;

  // Stage 3, caller
  /** SHA-256 of the raw key. A stale key is read again by this hash, never by its ID. */
  keyHash: string | null = null;
  key: KeySnapshot | null = null;
  actor: AdminActor | null = null;
  /** Null if there is no session cookie, or if an `Authorization` header overrides it (D19). */
  session: CallerSession | null = null;

  // Stage 4, body
  readonly body = new RequestBody();
  stream = false;

  // Stage 5, model gate
  model: string | null = null;

  // Stage 6, quota
  figures: QuotaFigures | null = null;
  /** Whether the request counts against the key's limits and the instance cap. */
  admitted = false;
  /** Set with `admitted`. `RequestRecorder` settles it. */
  reservation: Reservation | null = null;

  // Stage 8, upstream
  readonly upstream = new UpstreamOutcome();
  usage: TokenUsage | null = null;
  /** How well the response proves the usage. Null if there was no response to meter. */
  usageProof: UsageProof | null = null;
  /** Null if neither the response nor the request contains any details. Set together with `usage`. */
  usageDetails: UsageDetails | null = null;
  /** The object whose later response reports the usage of this request. Null if this response is the last one. */
  awaitedObject: string | null = null;
  /** The usage of the earlier request that created an object, which this response reports. */
  laterUsage: LaterUsage | null = null;
  /** A tokenizer's count, if the response did not report its usage. It settles after the response (D14). */
  estimate: Promise<TokenUsage> | null = null;

  readonly response = new ResponseState();
  private readonly endListeners: (() => void)[] = [];

  constructor(
    /** UUID v7, `X-Request-Id` of the response. */
    readonly requestId: string,
    readonly method: string,
  ) {}

  /** Runs `listener` when the response has ended, whether it is complete, rejected or interrupted. */
  onEnd(listener: () => void): void {
    this.endListeners.push(listener);
  }

  /** Runs all listeners, even if one of them fails. */
  end(): void {
    for (const listener of this.endListeners) runGuarded(listener);
  }
}

interface LaterUsage {
  readonly objectId: string;
  readonly usage: TokenUsage;
  /** Null for an object that failed, which is free. */
  readonly details: UsageDetails | null;
}

class ClientHeaders {
  /** Returned as `X-GW-Client-Id`. Null if the client's `X-Request-Id` is absent or invalid. */
  requestId: string | null = null;
  /** A browser sent the request to /v1 with an `Origin`, and needs CORS headers (D25). */
  crossOrigin = false;
  /** `Content-Type` as sent. It is moved here, because Fastify would reject a malformed one before the key is checked. */
  contentType: string | undefined;
  awaitsContinue = false;
}

interface HeldMemory {
  release(): void;
}

class RequestBody {
  /** The client's bytes, sent upstream unchanged. */
  bytes: Buffer | null = null;
  json: Readonly<Record<string, unknown>> | null = null;
  jsonMemory: HeldMemory | null = null;
  /** The fields and objects of a large JSON body, counted before it was parsed. Null for other bodies. */
  structure: { readonly fields: number; readonly hasEscapedNames: boolean } | null = null;
  /** False if only the top-level `model` names a model, so that stage 5 need not search the body. */
  namesModelsInside = true;
  /** The error for fields that another parser could read as different ones. It applies if the model gate or a limit depends on the body. */
  ambiguity: GatewayError | null = null;
  /** How long the client took to send the body after it was requested. */
  waitMs = 0;

  /** Drops `json` after the checks. It can be twenty times the size of the bytes, and a stream can run for minutes. */
  releaseJson(): void {
    this.json = null;
    this.jsonMemory?.release();
  }
}

class UpstreamOutcome {
  /** The upstream of `GW_UPSTREAMS` that responds. Null without `GW_UPSTREAMS`. */
  name: string | null = null;
  /** The account that the request was sent to last, which decides its price. Null before it was sent. */
  account: { readonly name: string; readonly baseUrl: URL } | null = null;
  /** The model that was sent to the account. Null without `GW_UPSTREAMS`, and if the request has no model. */
  model: string | null = null;
  /** The route's fallback model that the request was sent to last, instead of the model that it names. */
  fallback: string | null = null;
  /** In order. Empty without `GW_UPSTREAMS`. */
  readonly attempts: Attempt[] = [];
  /** Headers and body were sent completely, so the upstream can charge for the input (D14). */
  sentWhole = false;
  latencyMs: number | null = null;
  /** An upstream might have received at least a part of the request. */
  reached = false;
  /** How long the response headers waited for the upstream. A held response waits until it is complete. */
  waitMs = 0;
  responseModel: string | null = null;
  /** Null unless the trace is sampled, or the request names no model. */
  facts: ResponseFacts | null = null;

  /** Until the response headers, or until the end of a request without a response. Null if no upstream received the request. */
  get recordedLatencyMs(): number | null {
    return this.latencyMs ?? (this.reached ? this.waitMs : null);
  }
}

class ResponseState {
  /** A flat list of lower-case names and values, as of now. */
  ownHeaders: (() => string[]) | null = null;
  headAtMs: number | null = null;
  /** A body follows the headers in pieces. */
  bodyFollows = false;
  /** The first byte of such a body. */
  firstByteAtMs: number | null = null;
  /** In dollars, for a header. Null unless it is known exactly before the headers are sent. */
  cost: string | null = null;
  /** The client disconnected during the upstream exchange. */
  cutByClient = false;
  /** The client disconnected before the headers were sent. */
  abandoned = false;
  /** The provider reported an error in a response with a success status. */
  errorReported = false;
  errorCode: ErrorCode | null = null;
  errorMessage: string | null = null;
  /** Sets, renews or clears the session cookie. It contains a token and is never logged. */
  setCookie: string | null = null;
}

/** One attempt of a request at an upstream of `GW_UPSTREAMS`. */
export interface Attempt {
  readonly upstream: string;
  /** The ID that was sent upstream; null for a request without a model. */
  readonly model: string | null;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Why there was no response: a reason of `gateway_upstream_failures_total`, or `aborted` if the client did not wait. */
  readonly error: string | null;
  /** The time to the status or the failure, in milliseconds. */
  readonly ms: number;
}

/** Anthropic's SDKs send this header on every path, including those of OpenAI. */
export const isAnthropicClient = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['anthropic-version'] !== undefined;
