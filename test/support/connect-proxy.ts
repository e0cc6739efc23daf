import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

interface Connect {
  /** `host:port`, as the client requested it. */
  readonly target: string;
  readonly authorization: string | undefined;
}

/** An HTTP proxy that only serves CONNECT. It connects names and addresses of the test to local ports. */
export class ConnectProxy {
  readonly connects: Connect[] = [];
  /** Requests other than CONNECT, which must not happen. */
  readonly others: string[] = [];
  /** The proxy sends this status instead of opening a tunnel. */
  rejectWith: number | null = null;
  /** The proxy accepts connections, but does not respond. */
  silent = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly routes: Readonly<Record<string, number>>,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response) => {
      this.others.push(`${request.method} ${request.url}`);
      response.writeHead(405).end();
    });
    server.on('connect', (request: IncomingMessage, socket: Socket) => this.onConnect(request, socket));
  }

  /** @param routes the local port of each target */
  static async start(routes: Readonly<Record<string, number>>, tls?: ServerOptions): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(tls === undefined ? createServer() : createTlsServer(tls), routes);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get targets(): string[] {
    return this.connects.map(({ target }) => target);
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private onConnect({ url: target = '', headers }: IncomingMessage, client: Socket): void {
    this.connects.push({ target, authorization: headers['proxy-authorization'] });
    // Without a reader, the end of the connection would not be noticed.
    if (this.silent) return void client.on('end', () => client.destroy()).resume();
    const port = this.routes[target];
    const status = this.rejectWith ?? (port === undefined ? 502 : null);
    if (status !== null) return void client.end(`HTTP/1.1 ${status} x-secret-of-the-proxy\r\n\r\n`);
    const upstream = connect(port!, '127.0.0.1', () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    this.sockets.add(upstream);
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  }
}
