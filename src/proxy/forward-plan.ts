import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ConversionMemory } from '../fairness/response-memory.js';
import type { UploadStream } from './upload-stream.js';
import type { ResponseMeter } from './metering/response-meter.js';

/** Turns one streamed answer of the upstream into the client's, piece by piece. */
export interface StreamConverter {
  /** `chunk` may be cut anywhere. What is to be sent now, in order; empty: nothing yet. */
  push(chunk: Buffer): readonly Buffer[];
  /** Once, when the upstream's stream has ended whole. */
  end(): readonly Buffer[];
}

/** Turns an answer of the upstream into the client's, where a route is emulated. Throws only for what is a fault of the upstream's. */
export interface ResponseConverter {
  /** A whole JSON answer, in pieces of which some may be the same memory. */
  buffered(body: Buffer): readonly Buffer[];
  /** `contentType` as the upstream sent it; it goes out unchanged. */
  stream(contentType: string): StreamConverter;
}

/** Where a route differs from 'the same bytes to the same path' (D6). All optional. */
export interface ForwardPlan {
  /** Below the base URL, with its query: `/chat/completions`. Left out: the client's own. Credentials are cut out of either. */
  readonly path?: string;
  /** Left out: `ctx.body.bytes`. A request that has not been read is streamed and never held. */
  readonly body?: Buffer | IncomingMessage;
  /** Set over what the allowlist lets through; lower-case names, none of framing or credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly converter?: ResponseConverter;
  /** The answer is a file, whose name goes out with it. */
  readonly answersFile?: boolean;
}

/** Dependencies and options of forwarding one response. */
export interface ResponseOptions {
  readonly reply: FastifyReply;
  /** null: responses of this route do not cost tokens. */
  readonly meter: ResponseMeter | null;
  /** Must not appear in a message or a header of the upstream. */
  readonly secrets: readonly string[];
  /** `GW_UPSTREAM_ERRORS` is `relay`. */
  readonly relay: boolean;
  /** Milliseconds that a client can leave its response unread. */
  readonly stuckClientMs: number;
  /** null: the bytes are forwarded as they arrive. */
  readonly converter: ResponseConverter | null;
  /** A response that is converted has to be held whole. */
  readonly conversions: ConversionMemory;
  /** The request body, if it is streamed. It is released when the response ends. */
  readonly upload: UploadStream | null;
  /** The response is a file, whose name is forwarded. */
  readonly isFile: boolean;
  /** Open event streams. The response adds itself when it begins, and removes itself when it ends. */
  readonly streams: { open: number };
}
