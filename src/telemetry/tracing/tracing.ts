import type { IncomingMessage } from 'node:http';
import type { RequestTrace } from '../../request-context/request-trace.js';

export abstract class Tracing {
  /** Returns null if the request is not traced: without a collector, and outside /v1. Never throws. */
  abstract begin(req: IncomingMessage, startedAtMs: number): RequestTrace | null;
}
