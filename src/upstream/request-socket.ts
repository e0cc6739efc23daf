import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface SocketTaker {
  socket: Socket | null;
}

// undici reveals the socket of a request on this channel only, right after its onRequestStart.
const next: { taker: SocketTaker | null } = { taker: null };
subscribe('undici:client:sendHeaders', (message) => {
  if (next.taker !== null) next.taker.socket = (message as { socket: Socket }).socket;
  next.taker = null;
});

/** Called in onRequestStart: the socket that the request goes out on is put into `taker`. */
export function takeSocket(taker: SocketTaker): void {
  next.taker = taker;
}

/** undici's parser of the responses on one socket. */
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
 * Makes undici treat a 100 response as a 102. A client must skip any interim response, expected or not (RFC 9110, 15.2); undici
 * (8.12) closes the connection at a 100.
 */
function skipContinue(parser: ResponseParser): void {
  const onHeadersComplete = parser.onHeadersComplete.bind(parser);
  const onHeadersUnlessContinue: ResponseParser['onHeadersComplete'] = (status, upgrade, keepAlive) =>
    onHeadersComplete(status === CONTINUE ? PROCESSING : status, upgrade, keepAlive);
  parser.onHeadersComplete = onHeadersUnlessContinue;
}
