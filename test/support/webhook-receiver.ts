import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: {
    readonly id: string;
    readonly type: string;
    readonly created_at: string;
    readonly data: Record<string, unknown>;
  };
}

/** Writes the response. It can leave the response open. */
export type Response = (received: Received, response: ServerResponse) => void;

export const status =
  (code: number, text = ''): Response =>
  (_received, response) =>
    void response.writeHead(code).end(text);

/** A webhook receiver on the loopback interface. Every path returns 204 unless a test changes it. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly responses = new Map<string, Response>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  on(path: string, response: Response): void {
    this.responses.set(path, response);
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { url: path = '', method = '', headers } = request;
    const received = { path, method, headers, text, body: JSON.parse(text) as Received['body'] };
    this.received.push(received);
    (this.responses.get(path) ?? status(204))(received, response);
  }
}

/** Returns whether the message is signed with this secret, checked with the library that receivers use. */
export function isSigned({ text, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Starts a TCP server that sends what `handler` writes. `connections` counts all connections it has accepted. */
export async function rawReceiver(handler: (socket: Socket) => void = () => {}) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    handler(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.length;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
