import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepareOwnResponse } from './own-response.js';

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
