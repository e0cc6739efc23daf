import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** A result of `onIncoming` that makes llhttp stop, as for an upgrade. */
const SKIP_REST = 2;

interface ParsedSocket extends Socket {
  readonly parser?: { onIncoming: (req: IncomingMessage, keepAlive: boolean) => number };
}

/**
 * Stops parsing the rest of a read when the connection has been closed.
 *
 * - Symptom: one read can contain 2,000 pipelined requests. Node parses them all, at 11 µs each, even after the gateway has
 *   closed the connection because too many requests were waiting (`serveInOrder`).
 * - Upstream issue: no upstream issue is known.
 * - Remove when: Node's HTTP parser stops once the socket is destroyed.
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
