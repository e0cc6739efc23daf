import type { AddressInfo, Server, Socket } from 'node:net';

const HOST = '127.0.0.1';
/** Thousands of clients can connect at the same moment. */
const BACKLOG = 4096;

/** A server on loopback and its open connections. */
export class Listener {
  readonly connections = new Set<Socket>();

  /** @param port 0: a free one, which stays the same when the listener starts again */
  constructor(
    private readonly server: Server,
    private port: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.on('close', () => this.connections.delete(socket));
    });
  }

  /** Base URL with `/v1` at its end, as `GW_UPSTREAM_BASE_URL` expects it. */
  get url(): string {
    return `http://${HOST}:${this.port}/v1`;
  }

  /** @throws if the port is in use */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, HOST, BACKLOG, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Destroys every connection and frees the port. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.connections) socket.destroy();
    await closed;
  }
}
