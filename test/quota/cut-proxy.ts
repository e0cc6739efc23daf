import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between a store and the database that can break only the connections between them. */
export class CutProxy {
  private readonly pairs = new Set<{ client: Socket; server: Socket }>();
  private refusing = false;
  private hanging = false;
  private readonly listener = createServer((client) => this.accept(client));

  private constructor(private readonly target: URL) {}

  static async before(url: string): Promise<CutProxy> {
    const proxy = new CutProxy(new URL(url));
    proxy.listener.listen(0, '127.0.0.1');
    await once(proxy.listener, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.listener.address() as AddressInfo).port);
    return url.href;
  }

  /** Disconnects the clients. The server does not notice, so it completes the statements that it has received. */
  cut(): void {
    for (const { client } of this.pairs) client.destroy();
  }

  refuse(refusing: boolean): void {
    this.refusing = refusing;
  }

  /** Stops forwarding data from the server without closing connections. */
  hang(hanging: boolean): void {
    this.hanging = hanging;
    for (const { server } of this.pairs) server[hanging ? 'pause' : 'resume']();
  }

  close(): void {
    this.listener.close();
    for (const { client, server } of this.pairs) {
      client.destroy();
      server.destroy();
    }
  }

  private accept(client: Socket): void {
    client.on('error', () => undefined);
    if (this.refusing) return void client.destroy();
    const server = connect(Number(this.target.port === '' ? 5432 : this.target.port), this.target.hostname);
    server.on('error', () => client.destroy());
    const pair = { client, server };
    this.pairs.add(pair);
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk) => client.write(chunk));
    if (this.hanging) server.pause();
    client.on('end', () => server.end());
    server.on('close', () => {
      this.pairs.delete(pair);
      client.destroy();
    });
  }
}
