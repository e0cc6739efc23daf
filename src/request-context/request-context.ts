import type { ErrorCode } from '../errors/error-code.data.js';
import type { RouteSpec } from '../routes/route-spec.js';
import type { AdminActor } from './admin-actor.js';
import type { CallerSession } from './caller-session.js';
import type { KeySnapshot } from './key-snapshot.js';
import type { QuotaFigures } from './quota-figures.js';
import type { RequestTrace } from './request-trace.js';
import type { TokenUsage } from './token-usage.js';

/** What is known about one request. Each stage of D1 writes its own fields and reads those above them. */
export class RequestContext {
  // Before the stages: the moment the head was read.
  /** `performance.now()` when the head was read; `X-GW-Latency` counts from here. */
  readonly startedAtMs = performance.now();
  /** The client's own X-Request-Id where it is fit to be echoed. */
  clientId: string | null = null;
  /** The request came from a page of another origin and is under /v1: its answer may be read there (D25). */
  crossOrigin = false;
  /** Content-Type as the client sent it: moved aside, for Fastify refuses a malformed one before the key is judged. */
  contentType: string | undefined;
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue = false;
  /** Its span; null where requests are not traced. */
  trace: RequestTrace | null = null;

  // Stage 1, route
  route: RouteSpec | null = null;

  // Stage 3, key
  /** SHA-256 of the secret that the caller presented: a stale key is read anew by this, never by id. */
  keyHash: string | null = null;
  key: KeySnapshot | null = null;

  /** Under /admin and /dashboard, in place of a key. */
  actor: AdminActor | null = null;
  /** null: the caller came without a session cookie, or with an Authorization header that goes before it (D19). */
  session: CallerSession | null = null;

  // Stage 4, body
  /** The client's bytes, sent upstream as they are. */
  body: Buffer | null = null;
  /** The same bytes parsed: judged, never sent. */
  json: Readonly<Record<string, unknown>> | null = null;
  /** The members of a JSON body, repeats included; null: not counted. */
  bodyMembers: number | null = null;
  /** False: the body names no model but its top-level `model`, so stage 5 need not search it. */
  namesModelsInside = true;
  /** Milliseconds that the client took to send its body, from when it was asked for. */
  bodyWaitMs = 0;

  // Stage 5, model gate
  /** The model asked for; null where the body names none. */
  model: string | null = null;

  // Stage 6, quota
  figures: QuotaFigures | null = null;
  /** Passed stage 6: counted against quota and instance cap. */
  admitted = false;

  // Stage 8, upstream
  stream = false;
  /** Head and body were sent whole: whatever came of the answer, the upstream may charge for what went in (D14). */
  sentWhole = false;
  upstreamLatencyMs: number | null = null;
  /** Milliseconds that the answer's head had to wait for the upstream: of an answer that is held, until it was whole. */
  upstreamWaitMs = 0;
  /** The model that the upstream's buffered answer names. */
  answeredModel: string | null = null;
  usage: TokenUsage | null = null;
  /** Where the answer did not tell: a tokenizer's count, under way off the response path (D14). */
  estimate: Promise<TokenUsage> | null = null;

  // The answer
  /** `performance.now()` when its head was made; null: there has been none. */
  headAtMs: number | null = null;
  /** Its body comes piece by piece after the head, not with it. */
  bodyFollows = false;
  /** Of such a body: `performance.now()` when its first byte went out. */
  firstByteAtMs: number | null = null;
  /** The client went away before the head had gone out: nothing was answered. */
  abandoned = false;
  /** The gateway's own headers as of now, a flat list of lower-case names and values; left by the response-headers interceptor. */
  ownHeaders: (() => string[]) | null = null;
  /** The provider reported an error in a response with a status of success. */
  errorReported = false;
  errorCode: ErrorCode | null = null;
  /** The message that came with it, as the client may read it. */
  errorMessage: string | null = null;
  /** The session cookie as the answer sets it: given, kept alive or taken away. It holds a token: never logged. */
  setCookie: string | null = null;
  /** Set while an upstream request runs: called once if the client goes away. */
  onClientGone: (() => void) | null = null;
  /** Called once `json` has been let go of: gives back its memory. */
  onJudged: (() => void) | null = null;
  /** Called once when the answer has ended, however it did: gives back the memory of the body. */
  onEnded: (() => void) | null = null;

  constructor(
    /** UUID v7, `X-Request-Id` of the answer. */
    readonly requestId: string,
    readonly method: string,
  ) {}
}
