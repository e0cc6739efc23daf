import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ConversionMemory } from '../fairness/response-memory.js';
import type { UploadStream } from './upload-stream.js';
import type { ResponseMeter } from './metering/response-meter.js';

export interface StreamConverter {
  /** Converts a chunk, which can begin and end anywhere. Returns the bytes to send now, in order. */
  push(chunk: Buffer): readonly Buffer[];
  end(): readonly Buffer[];
}

/** Converts the responses of a route whose response format differs from the upstream's. Throws only if the upstream is at fault. */
export interface ResponseConverter {
  /** Converts a complete JSON response. The returned pieces can share memory. */
  buffered(body: Buffer): readonly Buffer[];
  /** @param contentType as sent by the upstream; it is forwarded unchanged */
  stream(contentType: string): StreamConverter;
}

/** The ways in which a route differs from forwarding the same bytes to the same path (D6). */
export interface ForwardPlan {
  /** Path and query below the base URL: `/chat/completions`. Default: the client's. Credentials in the query are always removed. */
  readonly path?: string;
  /** Default: `ctx.body.bytes`. A request is streamed without holding its body. */
  readonly body?: Buffer | IncomingMessage;
  /** Added to the client's allowlisted headers, and overrides them. Names are lower-case. Framing and credential headers throw. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly converter?: ResponseConverter;
  /** Also forwards the file name in `content-disposition`. */
  readonly answersFile?: boolean;
}

export interface ResponseOptions {
  readonly reply: FastifyReply;
  /** Null if responses of this route do not cost tokens. */
  readonly meter: ResponseMeter | null;
  /** The account's credentials. Nothing that the upstream sends can show them to the client. */
  readonly secrets: readonly string[];
  readonly relay: boolean;
  readonly stuckClientMs: number;
  readonly converter: ResponseConverter | null;
  /** Bounds the memory of JSON responses that are held until they are converted. */
  readonly conversions: ConversionMemory;
  readonly upload: UploadStream | null;
  readonly isFile: boolean;
  /** Counts open event streams. Each response adds and removes itself. */
  readonly streams: { open: number };
}
