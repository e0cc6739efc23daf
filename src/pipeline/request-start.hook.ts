import type { FastifyRequest } from 'fastify';
import { awaitingContinue } from '../http-server/protocol-errors.js';
import { RequestContext } from '../request-context/request-context.js';
import { clientIdOf } from '../request-context/request-id.js';
import { hasCors } from './cors.js';

/** Creates the request's context from its headers. It runs before everything else. */
export function startContext(request: FastifyRequest): RequestContext {
  const { raw: req } = request;
  const ctx = new RequestContext(request.id, req.method ?? '');
  request.ctx = ctx;
  const { headers } = req;
  if (headers['x-request-id'] !== undefined) ctx.client.requestId = clientIdOf(headers['x-request-id']);
  if (headers.origin !== undefined && hasCors(req.url)) ctx.client.crossOrigin = true;
  if (headers['content-type'] !== undefined) {
    ctx.client.contentType = headers['content-type'];
    delete headers['content-type'];
  }
  if (headers.expect !== undefined && awaitingContinue.has(req)) ctx.client.awaitsContinue = true;
  return ctx;
}

const SLASH = 0x2f;
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]+/i;

/**
 * Returns the path and query of a request target in absolute form, and other targets unchanged. Clients behind a forward
 * proxy send that form, and a server must accept it (RFC 9112, 3.2.2). The authority has no effect. The router, the checks
 * and the forwarder all use the result.
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const match = SCHEME_AND_AUTHORITY.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
