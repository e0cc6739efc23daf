import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepareOwnResponse } from './own-response.js';
import { BODY_BYTES_MAX } from '../../platform/routes/route-spec.js';
import { RATE_LIMIT_HEADERS } from './rate-limit-headers.js';

const EXPOSED = [
  'x-request-id',
  'x-gw-client-id',
  'x-gw-latency',
  'x-gw-upstream-latency',
  'x-gw-upstream-request-id',
  'x-gw-upstream',
  'x-gw-cost',
  'x-gw-upstream-status',
  'x-gw-model',
  'x-gw-key-name',
  'x-gw-worker',
  'x-should-retry',
  'retry-after',
  ...RATE_LIMIT_HEADERS,
  // The upstream's headers, in browsers that support the wildcard.
  '*',
].join(', ');

/** A flat list of headers for requests with an `Origin`. Any origin can read /v1 without credentials (D25). */
export const CORS_HEADERS = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED] as const;

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
