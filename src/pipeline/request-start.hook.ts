import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BODY_BYTES_MAX } from '../routes/gateway-route.decorator.js';
import { RequestContext } from '../request-context/request-context.js';
import { clientIdOf, newRequestId } from '../request-context/request-id.js';
import { discardUnread } from '../request-context/unread-body.js';

/** Requests whose client waits for `100 Continue`, marked when Node hands them over (see `protocol-errors.ts`). */
export const awaitingContinue = new WeakSet<IncomingMessage>();

/** Before everything else: the request's context, as far as its head tells. */
export function startContext(request: FastifyRequest): RequestContext {
  const { raw: req } = request;
  const ctx = new RequestContext(request.id, req.method ?? '');
  request.ctx = ctx;
  const { headers } = req;
  if (headers['x-request-id'] !== undefined) ctx.clientId = clientIdOf(headers['x-request-id']);
  if (headers.origin !== undefined && isUnderV1(req)) ctx.crossOrigin = true;
  if (headers['content-type'] !== undefined) {
    ctx.contentType = headers['content-type'];
    delete headers['content-type'];
  }
  if (headers.expect !== undefined && awaitingContinue.has(req)) ctx.awaitsContinue = true;
  return ctx;
}

export const requestIdFor = (): string => newRequestId(Date.now());

/** A preflight is answered without a key; any request header that it asks for is allowed (D25). */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  const { headers } = request.raw;
  if (
    request.method !== 'OPTIONS' ||
    headers['access-control-request-method'] === undefined ||
    !isUnderV1(request.raw)
  ) {
    return false;
  }
  reply.hijack();
  discardUnread(request.raw, reply.raw, BODY_BYTES_MAX);
  reply.raw.writeHead(204, [
    ...['x-request-id', request.id, 'access-control-allow-origin', '*'],
    ...['access-control-allow-methods', 'GET, POST, DELETE', 'access-control-max-age', '86400'],
    ...['access-control-allow-headers', headers['access-control-request-headers'] ?? '*'],
    ...['vary', 'access-control-request-headers'],
  ]);
  reply.raw.end();
  return true;
}

const isUnderV1 = (req: IncomingMessage): boolean => req.url?.startsWith('/v1/') === true;
