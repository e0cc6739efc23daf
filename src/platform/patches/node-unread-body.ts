import type { IncomingMessage, ServerResponse } from 'node:http';

const DISCARD_MS = 5_000;

/**
 * Reads and discards the rest of a body after an early response, up to `bytesMax` and for 5 s (D1), then closes the
 * connection. Beyond `bytesMax`, it keeps reading until the response is sent. If the body is complete, the connection stays open.
 *
 * - Symptom: Node reads the rest of an unread body without a limit. If the server closes the connection instead, a client
 *   that is uploading reports a broken pipe and loses the response.
 * - Issue: https://github.com/nodejs/node/issues/12339
 * - Benefit: after an early response, Node reads 400 MB/s of an endless upload. With the patch, it reads at most
 *   `bytesMax` bytes once the response is sent.
 * - Version test: `node-unread-body.spec.ts`
 * @param res null if the response is already sent
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
    const isSent = res === null || res.writableFinished;
    if (bytes > bytesMax && isSent) cut();
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
