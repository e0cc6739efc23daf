import { createServer, type Socket } from 'node:net';
import { Listener } from './listener.js';
import { type RawRequest, readRequests } from './raw-request.js';

interface RawScripts {
  /** Called for each new connection before any of its bytes are read. */
  readonly onConnection?: (socket: Socket) => void;
  /** Called once per request when its headers have arrived. Returns true if it has handled the request. */
  readonly onHead?: (request: RawRequest, socket: Socket) => boolean;
  /** Called for each complete request. Without it, the provider reads nothing, so that `onConnection` can. */
  readonly onRequest?: (request: RawRequest, socket: Socket) => void;
}

/**
 * A TCP provider whose scripts write raw bytes, so it can send responses that an HTTP server cannot send. It is also several
 * times as fast as `ScriptedProvider`, which the benchmarks need.
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

  static async start(scripts: RawScripts, port = 0): Promise<RawProvider> {
    const provider = new RawProvider(scripts, port);
    await provider.listener.start();
    return provider;
  }

  /** The URL ends in `/v1`, as `GW_UPSTREAM_BASE_URL` expects. */
  get url(): string {
    return this.listener.url;
  }

  get sockets(): ReadonlySet<Socket> {
    return this.listener.connections;
  }

  restart(): Promise<void> {
    return this.listener.start();
  }

  stop(): Promise<void> {
    return this.listener.stop();
  }
}
