import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** With more of them in line nothing is read from their connection; what one read brings (64 KB) may pass it. */
const WAITING_MAX = 16;
/** On all connections, at some 2 KB each: with more of them, until half are served, one that passes `WAITING_MAX` is cut. */
const ALL_WAITING_MAX = 10_000;

/** What llhttp takes for: what follows is no HTTP. It leaves the rest of the read alone. */
const SKIP_REST = 2;

interface ParsedSocket extends Socket {
  /** Node's own link to the parser of this connection. */
  readonly parser?: { onIncoming: (req: IncomingMessage, keepAlive: boolean) => number };
}

/**
 * Serves the requests of a connection one after another, as they are answered, and of all that were sent ahead one in a turn
 * of the event loop. Node would begin all of them: one read of a connection can bring two thousand.
 * @param server whose one listener of requests is there already
 */
export function serveInOrder(server: Server): void {
  const [serve] = server.listeners('request') as [RequestListener];
  const ahead = new RequestsAhead();
  server.removeListener('request', serve);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    // It gets the connection when the one before it has been answered.
    if (res.socket !== null) serve(req, res);
    else ahead.lineOf(req.socket).wait(res, () => serve(req, res));
  });
  server.on('connection', stopsParsingWhenCut);
}

/** Node parses a read to its end, whatever becomes of the connection meanwhile: 11 µs for each request in it. */
function stopsParsingWhenCut(socket: ParsedSocket): void {
  const { parser } = socket;
  if (parser === undefined) return;
  const { onIncoming } = parser;
  const onIncomingUnlessCut = (req: IncomingMessage, keepAlive: boolean) =>
    socket.destroyed ? SKIP_REST : onIncoming(req, keepAlive);
  parser.onIncoming = onIncomingUnlessCut;
}

/** All that were sent before the request in front of them had been answered. */
class RequestsAhead {
  private readonly lines = new WeakMap<Socket, Line>();
  /** There are too many; so that not each new connection may bring it to the brim again, until they are half as many. */
  full = false;
  private waiting = 0;
  private readonly next: (() => void)[] = [];

  lineOf(socket: Socket): Line {
    const line = this.lines.get(socket) ?? new Line(socket, this);
    this.lines.set(socket, line);
    return line;
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

/** The requests of a connection behind the one that is served. */
class Line {
  private waiting = 0;

  constructor(
    private readonly socket: Socket,
    private readonly all: RequestsAhead,
  ) {
    // Node resumes it where a body is to be read, and when an answer has been taken.
    socket.on('resume', () => this.hold());
    socket.once('close', () => this.add(-this.waiting));
  }

  wait(res: ServerResponse, serve: () => void): void {
    // The rest of the read by which it was cut.
    if (this.socket.destroyed) return;
    this.add(1);
    this.hold();
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

  private hold(): void {
    if (this.waiting <= WAITING_MAX) return;
    if (this.all.full) this.socket.destroy();
    else this.socket.pause();
  }
}
