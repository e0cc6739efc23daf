import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { DEFAULT_HANDLERS } from './scripted-upstream-answers.js';
import { ReceivedRequest, type UpstreamHandler } from './scripted-upstream-request.js';

/** A real HTTP server in the provider's place. */
export interface ScriptedUpstream {
  /** Base URL with `/v1` at its end, fit for GW_UPSTREAM_BASE_URL. */
  readonly url: string;
  /** Everything received since the start or the last `reset()`. */
  readonly requests: readonly ReceivedRequest[];
  /** Open connections, idle ones included. */
  readonly connections: number;
  /** The request number `index` (0 is the first since the start or `reset()`), as soon as it has been read whole. */
  received(index: number): Promise<ReceivedRequest>;
  /** Replaces what `method path` answers; `path` with `/v1` and without query. */
  on(method: string, path: string, handler: UpstreamHandler): void;
  /** Forgets requests and handlers: the default answers stand again. */
  reset(): void;
  /** Destroys every connection and frees the port. */
  stop(): Promise<void>;
}

/** Starts one on a free port; out of the box it answers chat completions (buffered and streamed) and the model list. */
export async function startUpstream(port = 0): Promise<ScriptedUpstream> {
  const handlers = new Map(DEFAULT_HANDLERS);
  const waiting = new Set<() => void>();
  let requests: ReceivedRequest[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const received = new ReceivedRequest(request, response, Buffer.concat(chunks));
      requests.push(received);
      for (const look of [...waiting]) look();
      const handler = handlers.get(`${received.method} ${received.path.split('?')[0]}`) ?? answerNotFound;
      void handler(received, response);
    });
  });
  const sockets = await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get requests() {
      return requests;
    },
    get connections() {
      return sockets.size;
    },
    received: (index) =>
      new Promise((resolve) => {
        const look = () => {
          const request = requests[index];
          if (request === undefined) return;
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
        look();
      }),
    on: (method, path, handler) => void handlers.set(`${method} ${path}`, handler),
    reset: () => {
      requests = [];
      handlers.clear();
      for (const [route, handler] of DEFAULT_HANDLERS) handlers.set(route, handler);
    },
    stop: () => stop(server, sockets),
  };
}

/** A TCP server that speaks whatever `handler` writes: for answers that no HTTP server would give. */
export async function rawUpstream(
  handler: (socket: Socket) => void,
): Promise<{ readonly url: string; readonly sockets: ReadonlySet<Socket>; stop(): Promise<void> }> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    handler(socket);
  });
  const sockets = await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, sockets, stop: () => stop(server, sockets) };
}

const answerNotFound: UpstreamHandler = (request, response) => {
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { message: `Unknown request URL: ${request.method} ${request.path}` } }));
};

async function listen(server: Server, port: number): Promise<Set<Socket>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return sockets;
}

function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  return closed;
}
