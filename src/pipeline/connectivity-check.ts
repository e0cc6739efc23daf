import type { FastifyReply, FastifyRequest } from 'fastify';
import { prepareOwnResponse } from '../http-server/own-response.js';

const CONNECTIVITY_CHECKS: ReadonlySet<string> = new Set(['/', '/api/hello']);

/**
 * Answers the connectivity check of Claude Code, `HEAD /` or `HEAD /api/hello`, with an empty 200. It needs no key.
 * @param own the gateway's headers
 * @returns false for any other request
 */
export function answerConnectivityCheck({ raw }: FastifyRequest, reply: FastifyReply, own: () => string[]): boolean {
  if (raw.method !== 'HEAD' || !CONNECTIVITY_CHECKS.has(raw.url ?? '')) return false;
  reply.hijack();
  prepareOwnResponse(raw, reply.raw, 0);
  reply.raw.writeHead(200, own());
  reply.raw.end();
  return true;
}

/**
 * Whether a request under /v1 asks for a WebSocket connection. Codex does before each session, and falls back to HTTP at once
 * if it gets 426. Other upgrades, such as h2c, are optional: their requests are served as they are.
 */
export const asksForWebSocket = ({ raw }: FastifyRequest): boolean =>
  raw.headers.upgrade !== undefined &&
  /^websocket$/i.test(raw.headers.upgrade.trim()) &&
  raw.url?.startsWith('/v1/') === true;
