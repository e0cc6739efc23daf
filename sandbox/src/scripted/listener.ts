import type { AddressInfo, Server, Socket } from 'node:net';

const HOST = '127.0.0.1';
/** Benchmarks connect thousands of clients at once. */
const BACKLOG = 4096;

export class Listener {
  readonly connections = new Set<Socket>();

  /** @param port 0 selects a free port, which `start()` keeps after a `stop()` */
  constructor(
    private readonly server: Server,
    private port: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.on('close', () => this.connections.delete(socket));
    });
  }

  /** The URL ends in `/v1`, as `GW_UPSTREAM_BASE_URL` expects. */
  get url(): string {
    return `http://${HOST}:${this.port}/v1`;
  }

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

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.connections) socket.destroy();
    await closed;
  }
}
