import { createServer, type Socket } from 'node:net';
import { Listener } from './listener.js';
import { type RawRequest, readRequests } from './raw-request.js';

interface RawScripts {
  /** Called with each new connection, before a byte of it is read. */
  readonly onConnection?: (socket: Socket) => void;
  /** Called once per request when its head has arrived. Returns whether it has answered the request. */
  readonly onHead?: (request: RawRequest, socket: Socket) => boolean;
  /** Called with each whole request. Without it and `onHead` nothing is read, so that `onConnection` can. */
  readonly onRequest?: (request: RawRequest, socket: Socket) => void;
}

/**
 * The raw mode of the scripted provider: a TCP server whose scripts write bytes. It sends responses that no HTTP server
 * would send, and it is several times as fast as one, which the benchmarks need.
 */
export class RawProvider {
  private readonly listener: Listener;

  private constructor({ onConnection, onHead, onRequest }: RawScripts, port: number) {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      onConnection?.(socket);
      if (socket.destroyed || onRequest === undefined) return;
      readRequests(socket, {
        onHead: (request) => onHead?.(request, socket) ?? false,
        onRequest: (request) => onRequest(request, socket),
      });
    });
    this.listener = new Listener(server, port);
  }

  /** @param port a free one by default */
  static async start(scripts: RawScripts, port = 0): Promise<RawProvider> {
    const provider = new RawProvider(scripts, port);
    await provider.listener.start();
    return provider;
  }

  /** Base URL with `/v1` at its end, as `GW_UPSTREAM_BASE_URL` expects it. */
  get url(): string {
    return this.listener.url;
  }

  get sockets(): ReadonlySet<Socket> {
    return this.listener.connections;
  }

  /** Listens at the same port again after `stop()`. */
  restart(): Promise<void> {
    return this.listener.start();
  }

  /** Destroys every connection; new ones are refused. */
  stop(): Promise<void> {
    return this.listener.stop();
  }
}
