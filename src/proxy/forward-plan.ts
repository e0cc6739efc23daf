import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ConversionMemory } from './response-memory.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { Candidate } from '../model-policy/upstream-candidates.service.js';
import type { ObjectCapture } from '../upstream/routing/objects/object-capture.js';
import type { RoutedCall } from '../upstream/routing/routed-call.js';
import type { UploadStream } from './upload-stream.js';
import type { Credentials } from './redaction/response-redaction.js';
import type { ResponseMeter } from './metering/response-meter.js';

/** Converts one event stream. */
export interface StreamConverter {
  /** `chunk` can begin and end anywhere. Returns the bytes to send now, in order. */
  push(chunk: Buffer): readonly Buffer[];
  /** Returns the last bytes. */
  end(): readonly Buffer[];
}

/** Converts the upstream's responses to the route's format. Throws only if the upstream is at fault. */
export interface ResponseConverter {
  /** `body` is complete JSON. The returned pieces can share memory. */
  buffered(body: Buffer): readonly Buffer[];
  /** @param contentType forwarded unchanged */
  stream(contentType: string): StreamConverter;
}

/** How a route differs from forwarding the same bytes to the same path (D6). */
export interface ForwardPlan {
  /** Path and query below the base URL. Default: the client's. Credentials in the query are always removed. */
  readonly path?: string;
  /** Default: `ctx.body.bytes`. A request is streamed without holding its body. */
  readonly body?: Buffer | IncomingMessage;
  /** These override the client's headers. Names are lower-case. Framing and credential headers cause an exception. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly converter?: ResponseConverter;
  /** Also forwards `content-disposition`. */
  readonly returnsFile?: boolean;
  /** Replaces path, body, headers and converter for each upstream. */
  readonly perUpstream?: UpstreamPlans;
}

/** Plans a request for each upstream, if the upstreams of a route need different requests. */
export interface UpstreamPlans {
  /**
   * Removes the upstreams that cannot serve the request. Call it while the parsed body exists.
   * @throws GatewayError 400 if none can
   */
  servable(candidates: readonly Candidate[]): readonly Candidate[];
  /** @param body the client's, possibly with a request for usage. A plan without a body sends it unchanged */
  planOf(candidate: Candidate, body: Buffer): ForwardPlan;
}

/** The parts of the latest attempt that its response depends on. */
export interface SentAttempt {
  /** The headers of the account. */
  headers: readonly string[];
  converter: ResponseConverter | null;
  /** Null until the request is sent. */
  call: RoutedCall | null;
}

/** The parts of a request's plan and settings that its response needs. */
export interface ResponseOptions {
  readonly reply: FastifyReply;
  /** Null if responses of this route do not cost tokens. */
  readonly meter: ResponseMeter | null;
  /**
   * Computes the cost of metered usage in dollars, for a response header. It returns null if the exact cost is unknown. Null if
   * no header is wanted.
   */
  readonly costOf: ((ctx: RequestContext) => string | null) | null;
  /** The credentials of all accounts, which the client must never see. */
  readonly secrets: readonly string[];
  /** Those that a response can contain, which depends on the account that the request was last sent to. */
  readonly credentials: () => Credentials;
  /** `GW_UPSTREAM_ERRORS=relay`. */
  readonly relay: boolean;
  /** A client that reads nothing for this long counts as disconnected. */
  readonly stuckClientMs: number;
  readonly attempt: SentAttempt;
  /** Changes the events of a stream that is not converted. */
  readonly streamFilter: StreamConverter | null;
  readonly conversions: ConversionMemory;
  readonly upload: UploadStream | null;
  readonly isFile: boolean;
  /** Called for each 2xx response. The end of the response waits until the objects that it names are recorded. */
  readonly captureObjects: (() => ObjectCapture | null) | null;
  /** Counts open event streams. Each response adds and removes itself. */
  readonly streams: { open: number };
}
