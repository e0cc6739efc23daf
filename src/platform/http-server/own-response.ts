import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Timeout for a client that does not read its response. Even a slow client reads every few seconds. */
export const UNREAD_MS = 120_000;
const DISCARD_MS = 5_000;

/** Discards the rest of the request body (D1), and disconnects a client that does not read the response (D22). */
export function prepareOwnResponse(req: IncomingMessage, res: ServerResponse, bytesMax: number): void {
  discardUnreadBody(req, res, bytesMax);
  limitUnreadTime(res);
}

/**
 * Reads and discards the rest of a body after an early response, up to `bytesMax` and for 5 s (D1), then closes the
 * connection. If the body is complete, the connection stays open.
 *
 * - Symptom: an SDK that is uploading reports a broken pipe instead of the response. Node reads the rest without a limit.
 * - Upstream issue: related is https://github.com/nodejs/node/issues/33672.
 * - Remove when: `http.Server` can limit unread bodies.
 * @param res null: the response is already sent
 */
export function discardUnreadBody(req: IncomingMessage, res: ServerResponse | null, bytesMax: number): void {
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  let bytes = 0;
  const cut = () => {
    if (!req.complete) socket.destroy();
    stop();
  };
  const timer = setTimeout(cut, DISCARD_MS);
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax && res?.writableFinished !== false) cut();
  };
  const stop = () => {
    clearTimeout(timer);
    req.off('data', onData).off('end', stop);
    socket.off('close', stop);
  };
  req.on('data', onData).on('end', stop);
  // After the response, the request emits no event when its connection closes.
  socket.on('close', stop);
  req.resume();
}

/**
 * Closes the connection of a client that does not read its response for two minutes (D22). Every byte received restarts Node's
 * socket timer, so it can take twice as long.
 *
 * - Symptom: a client that does not read keeps its connection and its response forever.
 * - Upstream issue: no upstream issue is known. Node's `server.timeout` would also end silent streams.
 * - Remove when: `http.Server` has a timeout for unread responses.
 */
export function limitUnreadTime(res: ServerResponse, unreadMs = UNREAD_MS): void {
  const { socket } = res;
  // The connection is closed, or a tool calls the application without a server.
  if (!(socket instanceof Socket)) return;
  socket.setTimeout(unreadMs);
  // Clears the timeout for the next request. Prepended, so that it runs before Node's own listener, which sets the keep-alive
  // timeout.
  res.prependOnceListener('finish', () => socket.setTimeout(0));
}
