import type { ErrorCode } from '../errors/error-code.data.js';
import type { RouteSpec } from '../routes/route-spec.js';
import type { AdminActor, CallerSession } from './caller-session.js';
import type { KeySnapshot, QuotaFigures } from './key-snapshot.js';
import type { RequestTrace } from './request-trace.js';
import type { TokenUsage } from './token-usage.js';

/** The state of one request. Each stage of D1 writes its own fields and reads those of earlier stages. */
export class RequestContext {
  /** `performance.now()` when the request headers were read. `X-GW-Latency` counts from here. */
  readonly startedAtMs = performance.now();
  readonly client = new ClientHeaders();
  /** Null if requests are not traced. */
  trace: RequestTrace | null = null;

  // Stage 1, route
  route: RouteSpec | null = null;

  // Stage 3, caller
  /** SHA-256 of the raw key that the caller sent. A stale key is read again by this hash, never by its ID. */
  keyHash: string | null = null;
  key: KeySnapshot | null = null;
  /** Set under /admin and /dashboard, where there is no key. */
  actor: AdminActor | null = null;
  /** Null without a session cookie, and if an `Authorization` header overrides it (D19). */
  session: CallerSession | null = null;

  // Stage 4, body
  readonly body = new RequestBody();
  /** The client asked for a stream, or the upstream sends one. */
  stream = false;

  // Stage 5, model gate
  /** The requested model. Null if the body names none. */
  model: string | null = null;

  // Stage 6, quota
  figures: QuotaFigures | null = null;
  /** The request passed stage 6, so it counts against the key's limits and the instance cap. */
  admitted = false;

  // Stage 8, upstream
  readonly upstream = new UpstreamOutcome();
  usage: TokenUsage | null = null;
  /** A tokenizer's count, if the response did not report its usage. It settles after the response (D14). */
  estimate: Promise<TokenUsage> | null = null;

  readonly response = new ResponseState();
  private readonly endListeners: (() => void)[] = [];

  constructor(
    /** UUID v7, `X-Request-Id` of the response. */
    readonly requestId: string,
    readonly method: string,
  ) {}

  /** Registers `listener` for the end of the response, whether it is complete, refused or cut. */
  onEnd(listener: () => void): void {
    this.endListeners.push(listener);
  }

  /** Calls the listeners. `RequestEndHook` calls it once, when the response has closed. */
  end(): void {
    for (const listener of this.endListeners) listener();
  }
}

class ClientHeaders {
  /** The client's own `X-Request-Id`, if it is valid. It is returned as `X-GW-Client-Id`. */
  requestId: string | null = null;
  /** A browser sent the request to /v1 with an `Origin`, and needs CORS headers (D25). */
  crossOrigin = false;
  /** `Content-Type` as sent. It is moved here, because Fastify would reject a malformed one before the key is checked. */
  contentType: string | undefined;
  awaitsContinue = false;
}

interface HeldMemory {
  giveBack(): void;
}

class RequestBody {
  /** The client's bytes, sent upstream unchanged. */
  bytes: Buffer | null = null;
  /** The parsed body. It is checked and never sent. */
  json: Readonly<Record<string, unknown>> | null = null;
  jsonMemory: HeldMemory | null = null;
  /** Number of fields in a JSON body at all levels, including repeated ones. Null if not counted. */
  memberCount: number | null = null;
  /** False if only the top-level `model` names a model, so that stage 5 need not search the body. */
  namesModelsInside = true;
  /** Milliseconds that the client took to send the body after it was requested. */
  waitMs = 0;

  /** Drops `json` after the checks: it can be twenty times the size of the bytes, and a stream can run for minutes. */
  releaseJson(): void {
    this.json = null;
    this.jsonMemory?.giveBack();
  }
}

class UpstreamOutcome {
  /** Headers and body were sent completely, so the upstream can charge for the input (D14). */
  sentWhole = false;
  latencyMs: number | null = null;
  /** Milliseconds that the response headers waited for the upstream. A held response waits until it is complete. */
  waitMs = 0;
  /** The model that a buffered response names. */
  answeredModel: string | null = null;
}

class ResponseState {
  /** The gateway's own headers as of now: a flat list of lower-case names and values. The interceptor sets it. */
  ownHeaders: (() => string[]) | null = null;
  /** `performance.now()` when the headers were made. Null if there are none yet. */
  headAtMs: number | null = null;
  /** The body is sent in pieces after the headers. */
  bodyFollows = false;
  /** `performance.now()` when the first byte of such a body was sent. */
  firstByteAtMs: number | null = null;
  /** The client disconnected while the upstream exchange was running. */
  cutByClient = false;
  /** The client disconnected before the headers were sent. */
  abandoned = false;
  /** The provider reported an error in a response with a success status. */
  errorReported = false;
  errorCode: ErrorCode | null = null;
  errorMessage: string | null = null;
  /** The session cookie that the response sets, renews or clears. It contains a token and is never logged. */
  setCookie: string | null = null;
}
