import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const LATE_MS = 500;

/**
 * A proxy between a gateway and its database that delays notifications of changes. Only the versions that admission compares
 * can then reveal a change in time.
 */
export class SlowNotifications {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly target: URL,
    private readonly server: Server,
  ) {
    server.on('connection', (near) => this.connect(near));
  }

  static async before(url: string): Promise<SlowNotifications> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SlowNotifications(new URL(url), server);
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private connect(near: Socket): void {
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    let delayMs = 0;
    // The first packet contains the name of the connection.
    near.once('data', (first) => (delayMs = first.includes('gateway-watch') ? LATE_MS : 0));
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (delayMs === 0) near.write(data);
      else setTimeout(() => near.write(data), delayMs);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
