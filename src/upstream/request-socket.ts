import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface SocketTaker {
  socket: Socket | null;
}

// undici tells the socket of a request on this channel only, right after its onRequestStart.
const next: { taker: SocketTaker | null } = { taker: null };
subscribe('undici:client:sendHeaders', (message) => {
  if (next.taker !== null) next.taker.socket = (message as { socket: Socket }).socket;
  next.taker = null;
});

/** Called in onRequestStart: the socket that the request goes out on is put into `taker`. */
export function takeSocket(taker: SocketTaker): void {
  next.taker = taker;
}
