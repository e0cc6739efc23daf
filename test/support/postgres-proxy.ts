import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Connects each client to PostgreSQL. `forward` decides which bytes pass, and when. */
export abstract class PostgresProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  protected constructor(private readonly target: URL) {
    this.server = createServer((near) => this.accept(near));
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

  protected async listen(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return this;
  }

  /**
   * @param near the client
   * @param far PostgreSQL
   */
  protected abstract forward(near: Socket, far: Socket): void;

  protected accept(near: Socket): void {
    const far = connect(Number(this.target.port || 5432), this.target.hostname);
    this.forward(near, far);
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
