import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The result of `onIncoming` that makes llhttp stop: what follows is not HTTP. */
const SKIP_REST = 2;

interface ParsedSocket extends Socket {
  /** Node's internal link to the parser of this connection. */
  readonly parser?: { onIncoming: (req: IncomingMessage, keepAlive: boolean) => number };
}

/**
 * Stops parsing the bytes of a read when the connection has been closed.
 *
 * - Symptom: one read can hold 2,000 pipelined requests. Node parses them all, 11 µs each, even after the gateway has closed
 *   the connection because too many waited (`serveInOrder`).
 * - Upstream issue: no upstream issue is known.
 * - Remove when: Node's HTTP parser stops by itself once the socket is destroyed.
 */
export function stopParsingWhenClosed(server: Server): void {
  server.on('connection', (socket: ParsedSocket) => {
    const { parser } = socket;
    if (parser === undefined) return;
    const { onIncoming } = parser;
    const onIncomingUnlessClosed = (req: IncomingMessage, keepAlive: boolean) =>
      socket.destroyed ? SKIP_REST : onIncoming(req, keepAlive);
    parser.onIncoming = onIncomingUnlessClosed;
  });
}
