import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * An answer whose turn on its connection has not come ends with the connection: Node 22, and earlier releases of 24, tell
 * only the one whose turn it is, so what the others hold would stay taken.
 */
export function closeWithConnection(res: ServerResponse, socket: Socket): void {
  let closed = false;
  const onConnectionClosed = () => {
    // Newer ones tell it of themselves, a tick later.
    setImmediate(() => {
      if (!closed) res.destroy().emit('close');
    });
  };
  // A listener for each that waits in line: no sign of a leak.
  socket.setMaxListeners(0).once('close', onConnectionClosed);
  res.once('close', () => {
    closed = true;
    socket.off('close', onConnectionClosed);
  });
}
