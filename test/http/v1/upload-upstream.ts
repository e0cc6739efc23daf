import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One upload as it arrives at the provider. */
interface Arrival {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** So far. */
  readonly bytes: () => Buffer;
  /** Settles when the connection was lost before the upload was whole. */
  readonly aborted: Promise<void>;
  readonly whole: Promise<void>;
}

/** A provider that sees an upload from its first byte on. It reads and answers `{}` at the end, unless `behave` says otherwise. */
export class UploadUpstream {
  readonly arrivals: Arrival[] = [];
  /** Returns whether it has taken the request over. */
  behave: (arrival: Arrival) => boolean = () => false;
  private readonly wakers = new Set<() => void>();
  private readonly server = createServer((req, res) => this.arrive(req, res));

  static async start(): Promise<UploadUpstream> {
    const upstream = new UploadUpstream();
    await new Promise<void>((resolve) => upstream.server.listen(0, '127.0.0.1', resolve));
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  async arrival(index = 0): Promise<Arrival> {
    while (this.arrivals.length <= index) await new Promise<void>((resolve) => this.wakers.add(resolve));
    return this.arrivals[index]!;
  }

  reset(): void {
    this.arrivals.length = 0;
    this.behave = () => false;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private arrive(req: IncomingMessage, res: ServerResponse): void {
    if (req.url !== '/v1/files') return void res.writeHead(404).end();
    const chunks: Buffer[] = [];
    const arrival: Arrival = {
      ...{ req, res, bytes: () => Buffer.concat(chunks) },
      aborted: new Promise((resolve) => req.once('close', () => (req.complete ? undefined : resolve()))),
      whole: new Promise((resolve) => req.once('end', resolve)),
    };
    req.on('error', () => {});
    res.on('error', () => {});
    this.arrivals.push(arrival);
    const taken = this.behave(arrival);
    for (const wake of this.wakers) wake();
    this.wakers.clear();
    if (taken) return;
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"file"}'));
  }
}
