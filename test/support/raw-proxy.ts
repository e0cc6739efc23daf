import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer, type TlsOptions } from 'node:tls';

/** Receives the head of a CONNECT request, and writes the response itself. */
type Behavior = (socket: Socket, head: string) => void;

/** A proxy that sends what no HTTP server would send. */
export class RawProxy {
  readonly heads: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    public behavior: Behavior,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => this.serve(socket));
  }

  static async start(behavior: Behavior, tls?: TlsOptions): Promise<RawProxy> {
    const proxy = new RawProxy(tls === undefined ? createServer() : createTlsServer(tls), behavior);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    let head = '';
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      this.heads.push(head);
      this.behavior(socket, head);
    };
    socket.on('error', () => undefined).on('data', read);
  }
}
