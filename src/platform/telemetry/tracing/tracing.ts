import type { IncomingMessage } from 'node:http';
import type { RequestTrace } from '../../request-context/request-trace.js';

/** Fastify's request. Its getters read the headers of trusted proxies, so only a recorded span reads them. */
export interface TracedHead {
  readonly raw: Pick<IncomingMessage, 'headers' | 'url' | 'method' | 'httpVersion'>;
  readonly protocol: string | undefined;
  readonly hostname: string;
  readonly port: number | null;
}

export abstract class Tracing {
  /** Returns null if the request is not traced: without a collector, and outside /v1. Never throws. */
  abstract begin(request: TracedHead, startedAtMs: number): RequestTrace | null;
}
