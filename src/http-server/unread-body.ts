import type { IncomingMessage, ServerResponse } from 'node:http';

const TAKE_MS = 5_000;

/**
 * After an early answer: takes and throws away what the client still sends, so that an SDK in the middle of an upload
 * sees the answer and not a broken pipe, up to `bytesMax` and for 5 s (D1); then the connection is cut.
 * Node would do the same without a bound. A body that came whole keeps its connection.
 * @param res null: the answer has gone out
 */
export function discardUnreadBody(req: IncomingMessage, res: ServerResponse | null, bytesMax: number): void {
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  let bytes = 0;
  const cut = () => {
    if (!req.complete) socket.destroy();
    stop();
  };
  const timer = setTimeout(cut, TAKE_MS);
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
  // Once it is answered, a request is told no more of its connection's end.
  socket.on('close', stop);
  req.resume();
}
