import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';

const SSL_REQUEST = 80877103;
const IDLE = 'I'.charCodeAt(0);

/** A connection to PostgreSQL, assigned to one client for the duration of a transaction. */
interface Backend {
  readonly client: Client;
  readonly socket: Socket;
  user: Socket | null;
}

export interface TransactionPooler {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a fake pooler in transaction mode with two server connections. A transaction runs on a free one, preferably the one
 * that was used last. The pooler accepts every client without a password.
 */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const backends = await Promise.all([connect(databaseUrl), connect(databaseUrl)]);
  const users = new Set<Socket>();
  const server = createServer((user) => {
    users.add(user);
    user.on('error', () => undefined).once('close', () => users.delete(user));
    serve(user, backends);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stop: async () => {
      for (const user of users) user.destroy();
      for (const { socket } of backends) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Connects with the driver, and then takes over its socket. */
async function connect(connectionString: string): Promise<Backend> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  socket.removeAllListeners('data').on('error', () => undefined);
  const backend: Backend = { client, socket, user: null };
  const read = frames((frame, type) => {
    backend.user?.write(frame);
    // After ReadyForQuery outside a transaction, the connection is free.
    if (type === 'Z' && frame[5] === IDLE) backend.user = null;
  });
  socket.on('data', read);
  return backend;
}

function serve(user: Socket, backends: Backend[]): void {
  let held: Buffer[] = [];
  const read = frames((frame, type) => {
    if (type === 'X') return void user.end();
    held.push(frame);
    // Only Query and Sync require a response, so earlier messages are held back.
    if (type !== 'Q' && type !== 'S') return;
    const backend = backends.find((one) => one.user === user) ?? backends.find((one) => one.user === null);
    if (backend === undefined) return void user.destroy();
    backends.sort((one) => (one === backend ? -1 : 0));
    backend.user = user;
    backend.socket.write(Buffer.concat(held));
    held = [];
  });
  let greeted = false;
  user.on('data', (chunk: Buffer) => {
    if (greeted) return read(chunk);
    if (chunk.readInt32BE(4) === SSL_REQUEST) return void user.write('N');
    greeted = true;
    user.write(
      Buffer.concat([message('R', int32(0)), message('K', int32(1), int32(1)), message('Z', Buffer.from('I'))]),
    );
  });
}

/** Splits a stream into messages. Each consists of a one-byte type, a length that includes itself, and a body. */
function frames(take: (frame: Buffer, type: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1;
      const frame = rest.subarray(0, length);
      rest = rest.subarray(length);
      take(frame, String.fromCharCode(frame[0]!));
    }
  };
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}
