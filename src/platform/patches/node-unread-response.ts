import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Even a slow client reads every few seconds. */
export const UNREAD_MS = 120_000;

/**
 * Closes the connection of a client that does not read its response for two minutes (D22). Every byte received restarts Node's
 * socket timer, so it can take twice as long.
 *
 * - Symptom: a client that does not read keeps its connection and its response in memory forever. Node's `server.timeout`
 *   would also end silent streams.
 * - Issue: https://github.com/nodejs/node/issues/38588
 * - Benefit: memory is released after four minutes at most. Without the patch, it is never released.
 * - Version test: `node-unread-response.spec.ts`
 */
export function limitUnreadTime(res: ServerResponse, unreadMs = UNREAD_MS): void {
  const { socket } = res;
  // The connection is closed, or a tool calls the application without a server.
  if (!(socket instanceof Socket)) return;
  socket.setTimeout(unreadMs);
  // Clears the timeout for the next request. It must run before Node's own listener, which sets the keep-alive timeout.
  res.prependOnceListener('finish', () => socket.setTimeout(0));
}
