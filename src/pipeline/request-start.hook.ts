import type { FastifyRequest } from 'fastify';
import { awaitingContinue } from '../http-server/protocol-errors.js';
import { RequestContext } from '../request-context/request-context.js';
import { clientIdOf, newRequestId } from '../request-context/request-id.js';
import { hasCors } from './cors.js';

/** Before everything else: the request's context, as far as its head tells. */
export function startContext(request: FastifyRequest): RequestContext {
  const { raw: req } = request;
  const ctx = new RequestContext(request.id, req.method ?? '');
  request.ctx = ctx;
  const { headers } = req;
  if (headers['x-request-id'] !== undefined) ctx.clientId = clientIdOf(headers['x-request-id']);
  if (headers.origin !== undefined && hasCors(req.url)) ctx.crossOrigin = true;
  if (headers['content-type'] !== undefined) {
    ctx.contentType = headers['content-type'];
    delete headers['content-type'];
  }
  if (headers.expect !== undefined && awaitingContinue.has(req)) ctx.awaitsContinue = true;
  return ctx;
}

export const requestIdFor = (): string => newRequestId(Date.now());
