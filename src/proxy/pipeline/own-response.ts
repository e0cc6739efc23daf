import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { discardUnreadBody } from '../../platform/patches/node-unread-body.js';
import { limitUnreadTime } from '../../platform/patches/node-unread-response.js';
import { BODY_BYTES_MAX } from '../../platform/routes/route-spec.js';
import { CORS_HEADERS } from './response-headers.interceptor.js';

/** Discards the rest of the request body (D1), and disconnects a client that does not read the response (D22). */
export function prepareOwnResponse(req: IncomingMessage, res: ServerResponse, bytesMax: number): void {
  discardUnreadBody(req, res, bytesMax);
  limitUnreadTime(res);
}

/** Operators need no CORS: they use the gateway's own pages. */
export const hasCors = (path: string | undefined): boolean => path?.startsWith('/v1/') === true;

/** Responds to a preflight without an API key, and allows any request header (D25). Returns false for other requests. */
export function respondToPreflight(request: FastifyRequest, reply: FastifyReply, own: () => string[]): boolean {
  const { headers, url } = request.raw;
  const asksFor = headers['access-control-request-method'];
  if (request.method !== 'OPTIONS' || asksFor === undefined || !hasCors(url)) return false;
  reply.hijack();
  prepareOwnResponse(request.raw, reply.raw, BODY_BYTES_MAX);
  reply.raw.writeHead(204, [
    ...own(),
    ...(headers.origin === undefined ? CORS_HEADERS.slice(0, 2) : []),
    'access-control-allow-methods',
    'GET, POST, DELETE',
    'access-control-max-age',
    '86400',
    'access-control-allow-headers',
    headers['access-control-request-headers'] ?? '*',
    'vary',
    'access-control-request-headers',
  ]);
  reply.raw.end();
  return true;
}

const CONNECTIVITY_CHECKS: ReadonlySet<string> = new Set(['/', '/api/hello']);

/** Responds to Claude Code's connectivity check with an empty 200, without an API key. Returns false for other requests. */
export function respondToConnectivityCheck({ raw }: FastifyRequest, reply: FastifyReply, own: () => string[]): boolean {
  if (raw.method !== 'HEAD' || !CONNECTIVITY_CHECKS.has(raw.url ?? '')) return false;
  reply.hijack();
  prepareOwnResponse(raw, reply.raw, 0);
  reply.raw.writeHead(200, own());
  reply.raw.end();
  return true;
}

/** Codex tries a WebSocket before each session, and falls back to HTTP immediately after a 426. */
export const asksForWebSocket = ({ raw }: FastifyRequest): boolean =>
  raw.headers.upgrade !== undefined &&
  /^websocket$/i.test(raw.headers.upgrade.trim()) &&
  raw.url?.startsWith('/v1/') === true;
