import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a client and PostgreSQL that can simulate a database that hangs or has crashed. */
export class FaultProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private server: Server;
  private port = 0;
  private hanging = false;

  private constructor(private target: URL) {
    this.server = this.newServer();
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(target));
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Keeps connections and accepts new ones, but forwards nothing. */
  hang(): void {
    this.hanging = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  resume(): void {
    this.hanging = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  /** Closes all connections and rejects new ones, like a crashed server. */
  async disconnect(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  async reconnect(): Promise<void> {
    this.server = this.newServer();
    await this.listen();
  }

  /** Closes all connections. New ones go to another server, as after a DNS change. */
  switchTo(target: string): void {
    this.target = new URL(target);
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  private listen(): Promise<void> {
    return new Promise((resolve) => {
      this.server.listen(this.port, '127.0.0.1', () => {
        this.port = (this.server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  private newServer(): Server {
    return createServer((near) => {
      const far = connect(Number(this.target.port || 5432), this.target.hostname);
      const pair = [near, far] as const;
      this.pairs.add(pair);
      near.on('data', (data) => far.write(data));
      far.on('data', (data) => near.write(data));
      for (const [socket, other] of [pair, [far, near] as const]) {
        socket.on('error', () => undefined);
        socket.on('close', () => {
          other.destroy();
          this.pairs.delete(pair);
        });
        if (this.hanging) socket.pause();
      }
    });
  }
}
