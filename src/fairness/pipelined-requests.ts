import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** While more requests of a connection wait, nothing is read from it. One read (64 KB) can exceed this. */
const WAITING_MAX = 16;
/** Requests that wait on all connections, at 2 KB each. While there are more, a connection above `WAITING_MAX` is closed. */
const ALL_WAITING_MAX = 10_000;

/**
 * Serves the pipelined requests of a connection one after another, and one per turn of the event loop. Node would start all
 * of them at once, and one read of a connection can hold two thousand.
 * @param server a server that has its one `request` listener
 */
export function serveInOrder(server: Server): void {
  const [serve] = server.listeners('request') as [RequestListener];
  const all = new PipelinedRequests();
  server.removeListener('request', serve);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    // Node assigns the connection to a response when the response before it has ended.
    if (res.socket !== null) serve(req, res);
    else all.of(req.socket).wait(res, () => serve(req, res));
  });
}

/** The waiting requests of all connections. */
class PipelinedRequests {
  private readonly connections = new WeakMap<Socket, PipelinedConnection>();
  /** Too many wait. It stays true until half of them are served, so that new connections cannot fill the queue again. */
  full = false;
  private waiting = 0;
  private readonly next: (() => void)[] = [];

  of(socket: Socket): PipelinedConnection {
    const connection = this.connections.get(socket) ?? new PipelinedConnection(socket, this);
    this.connections.set(socket, connection);
    return connection;
  }

  add(count: number): void {
    this.waiting += count;
    if (this.waiting > ALL_WAITING_MAX) this.full = true;
    else if (this.waiting < ALL_WAITING_MAX / 2) this.full = false;
  }

  serve(one: () => void): void {
    if (this.next.push(one) === 1) setImmediate(this.serveOne);
  }

  private readonly serveOne = () => {
    const one = this.next.shift()!;
    if (this.next.length > 0) setImmediate(this.serveOne);
    one();
  };
}

/** The waiting requests of one connection. */
class PipelinedConnection {
  private waiting = 0;

  constructor(
    private readonly socket: Socket,
    private readonly all: PipelinedRequests,
  ) {
    // Node resumes the socket when a body is read, and when a response has been sent.
    socket.on('resume', () => this.pauseOrClose());
    socket.once('close', () => this.add(-this.waiting));
  }

  wait(res: ServerResponse, serve: () => void): void {
    // The rest of the read during which the connection was closed.
    if (this.socket.destroyed) return;
    this.add(1);
    this.pauseOrClose();
    res.once('socket', () => {
      this.add(-1);
      if (this.waiting === WAITING_MAX) this.socket.resume();
      this.all.serve(() => (res.destroyed ? undefined : serve()));
    });
  }

  private add(count: number): void {
    this.waiting += count;
    this.all.add(count);
  }

  private pauseOrClose(): void {
    if (this.waiting <= WAITING_MAX) return;
    if (this.all.full) this.socket.destroy();
    else this.socket.pause();
  }
}
