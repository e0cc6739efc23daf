import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** How long a client may leave its answer unread, two minutes: a slow reader of a large answer drains its buffers every few seconds only. */
export const UNREAD_MS = 120_000;

/**
 * Before an answer of the gateway's own is written: a client that takes nothing of it for two minutes is gone, and its
 * connection is ended (D22). By Node's timer of the connection, which begins anew with whatever was taken: so it may be twice as long.
 */
export function limitUnreadTime(res: ServerResponse, unreadMs = UNREAD_MS): void {
  const { socket } = res;
  // The connection is gone, or there is none: tools ask the application without a server.
  if (!(socket instanceof Socket)) return;
  socket.setTimeout(unreadMs);
  // The next request may take longer. First, for Node then sets how long an idle connection is kept.
  res.prependOnceListener('finish', () => socket.setTimeout(0));
}
