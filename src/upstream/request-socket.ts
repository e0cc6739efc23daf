import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface SocketTaker {
  socket: Socket | null;
}

// - Symptom: undici does not report to a handler on which socket its request is sent.
// - Upstream issue: no upstream issue is known. This channel publishes the socket, right after `onRequestStart`.
// - Remove when: undici's dispatch handler receives the socket.
const next: { taker: SocketTaker | null } = { taker: null };
subscribe('undici:client:sendHeaders', (message) => {
  if (next.taker !== null) next.taker.socket = (message as { socket: Socket }).socket;
  next.taker = null;
});

/** Sets `taker.socket` to the socket of the request. Must be called in `onRequestStart`. */
export function takeSocket(taker: SocketTaker): void {
  next.taker = taker;
}

interface ResponseParser {
  onHeadersComplete(status: number, upgrade: boolean, keepAlive: boolean): number;
}

const CONTINUE = 100;
const PROCESSING = 102;

subscribe('undici:client:connected', (message) => {
  const { socket } = message as { socket: Socket };
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  if (key !== undefined) skipContinue(Reflect.get(socket, key) as ResponseParser);
});

/**
 * Makes undici treat a 100 response as a 102. RFC 9110, 15.2 requires a client to skip every interim response.
 *
 * - Symptom: undici (8.12) closes the connection at a 100.
 * - Upstream issue: no upstream issue is known.
 * - Remove when: undici skips a 100 as it skips a 102.
 */
function skipContinue(parser: ResponseParser): void {
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  const onHeadersUnlessContinue: ResponseParser['onHeadersComplete'] = (status, upgrade, keepAlive) =>
    onHeadersComplete(status === CONTINUE ? PROCESSING : status, upgrade, keepAlive);
  parser.onHeadersComplete = onHeadersUnlessContinue;
}
