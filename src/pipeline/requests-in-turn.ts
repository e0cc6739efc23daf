import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** With more of them in line nothing is read from their connection; what one read brings (64 KB) may pass it. */
const WAITING_MAX = 16;

/**
 * Serves the requests of a connection one after another, as they are answered. Node would begin all that a client sends ahead
 * of the answers: one connection could have a hundred thousand under way.
 * @param server whose one listener of requests is there already
 */
export function serveInTurn(server: Server): void {
  const [serve] = server.listeners('request') as [RequestListener];
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const line = lines.get(socket) ?? new Line(socket);
    lines.set(socket, line);
    return line;
  };
  server.removeListener('request', serve);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    // It gets the connection when the one before it has been answered.
    if (res.socket !== null) serve(req, res);
    else lineOf(req.socket).wait(res, () => serve(req, res));
  });
}

/** The requests of a connection behind the one that is served. */
class Line {
  private waiting = 0;

  constructor(private readonly socket: Socket) {
    // Node resumes it where a body is to be read, and when an answer has been taken.
    socket.on('resume', () => this.hold());
  }

  wait(res: ServerResponse, serve: () => void): void {
    this.waiting += 1;
    this.hold();
    res.once('socket', () => {
      this.waiting -= 1;
      if (this.waiting === WAITING_MAX) this.socket.resume();
      serve();
    });
  }

  private hold(): void {
    if (this.waiting > WAITING_MAX) this.socket.pause();
  }
}
