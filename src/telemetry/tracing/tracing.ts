import type { IncomingMessage } from 'node:http';
import type { RequestTrace } from '../../request-context/request-trace.js';

/** Whether and how requests are traced. */
export abstract class Tracing {
  /** At the head of a request. Null: it is not traced, which is so without a collector and outside /v1. Never throws. */
  abstract begin(req: IncomingMessage, startedAtMs: number): RequestTrace | null;
}
