import type { FastifyRequest } from 'fastify';
import { awaitingContinue } from '../http-server/protocol-errors.js';
import { RequestContext } from '../request-context/request-context.js';
import { clientIdOf } from '../request-context/request-id.js';
import { hasCors } from './cors.js';

export function startContext(request: FastifyRequest): RequestContext {
  const { raw: req } = request;
  const ctx = new RequestContext(request.id, req.method ?? '');
  request.ctx = ctx;
  const { headers } = req;
  if (headers['x-request-id'] !== undefined) ctx.client.requestId = clientIdOf(headers['x-request-id']);
  if (headers.origin !== undefined && hasCors(req.url)) ctx.client.crossOrigin = true;
  if (headers['content-type'] !== undefined) {
    ctx.client.contentType = headers['content-type'];
    // Otherwise Fastify would reject a malformed type before the key is checked.
    delete headers['content-type'];
  }
  if (headers.expect !== undefined && awaitingContinue.has(req)) ctx.client.awaitsContinue = true;
  return ctx;
}

const SLASH = 0x2f;
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]+/i;

/** Clients behind a forward proxy send the absolute form (RFC 9112, 3.2.2). Other targets are returned unchanged. */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const match = SCHEME_AND_AUTHORITY.exec(target);
  if (match === null) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
