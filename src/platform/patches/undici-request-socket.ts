import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface SocketTaker {
  socket: Socket | null;
}

const next: { taker: SocketTaker | null } = { taker: null };
subscribe('undici:client:sendHeaders', (message) => {
  if (next.taker !== null) next.taker.socket = (message as { socket: Socket }).socket;
  next.taker = null;
});

/**
 * Sets `taker.socket` to the socket of the request. Must be called in `onRequestStart`, because undici publishes the socket
 * immediately after it.
 *
 * - Symptom: undici does not report to a handler on which socket its request is sent. Only the socket shows whether all bytes of
 *   the request were sent, and whether a response without a length was cut by a reset.
 * - Issue: https://github.com/nodejs/undici/pull/1665
 * - Benefit: cut responses do not count as complete, and requests that were not sent do not count as sent.
 * - Version test: `undici.spec.ts`
 */
export function takeSocket(taker: SocketTaker): void {
  next.taker = taker;
}
