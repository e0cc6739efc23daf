import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors/catalogue.js';
import { GatewayError } from '../errors/gateway-error.js';

const broken = new WeakMap<IncomingMessage, GatewayError>();

/** Its framing is broken: whoever reads the body, now or later, refuses the request by `refusal`. */
export function breakBody(req: IncomingMessage, refusal: GatewayError): void {
  broken.set(req, refusal);
  if (req.listenerCount('error') > 0) req.emit('error', refusal);
}

/** By what a body was broken before anybody read it; undefined: it was not. */
export const brokenBefore = (req: IncomingMessage): GatewayError | undefined => broken.get(req);

/** What the `error` event of a body tells its reader. */
export const brokenBy = (error: Error): GatewayError => (error instanceof GatewayError ? error : endedEarly());

/** The client has gone away in the middle of a body. */
export const endedEarly = (): GatewayError => badRequest('The request body ended early.');
