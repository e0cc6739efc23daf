import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { POOL_SESSION, setSession } from './data-source-options.js';

/** A statement whose server says nothing for so long is given up, and its connection with it. D22 */
const SILENCE_MS_MAX = 2000;
/** Counted in turns, so that a stall of this process or of its machine counts as one of them at most. */
const TURNS = 4;
const GOODBYE_MS_MAX = 1000;
/** As PostgreSQL names it. */
const CONNECTION_FAILURE = '08006';
const READ_ONLY_TRANSACTION = '25006';

/** Parts of a pg client that its types leave out. */
interface Internals {
  readonly connection: {
    readonly stream: Socket;
    on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): void;
  };
  readonly readyForQuery: boolean;
}

type Obtained = [Client, (error?: Error) => void];

/**
 * A data source that never waits for a server that hangs. The driver's own `query_timeout` would put the connection back
 * into the pool with the statement still running on it, for the next caller to wait behind.
 */
export class BoundedDataSource extends DataSource {
  private readonly sockets: Set<Socket>;
  /** Sessions that may be handed out: as they were opened, the database took writes. */
  private current = new WeakSet<Client>();
  private whyNot: () => string | null = () => null;

  constructor(options: Extract<DataSourceOptions, { type: 'postgres' }>) {
    const sockets = new Set<Socket>();
    super({
      ...options,
      extra: {
        ...(options.extra as object),
        onConnect: async (client: Client) => {
          await prepare(client, sockets);
          this.watchForReadOnly(client);
        },
      },
    });
    this.sockets = sockets;
    const driver = this.driver as PostgresDriver;
    const obtain = driver.obtainMasterConnection.bind(driver) as () => Promise<Obtained>;
    driver.obtainMasterConnection = () => this.currentOf(obtain);
  }

  /** @param whyNot the words for a database that is known not to be there, else null: nobody waits for a connection then. D22 */
  failWhile(whyNot: () => string | null): void {
    this.whyNot = whyNot;
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const reason = this.whyNot();
    if (reason !== null) throw Object.assign(new Error(reason), { code: CONNECTION_FAILURE });
    return super.createQueryRunner(mode);
  }

  /** The database takes writes again: sessions of the time before, which may not know, are handed out no more. */
  renew(): void {
    this.current = new WeakSet();
  }

  /** Ends within a second or so, whatever the server does. */
  override async destroy(): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, GOODBYE_MS_MAX);
    try {
      await super.destroy();
    } finally {
      clearTimeout(timer);
    }
  }

  /** A session keeps for life what role or database were set to as it began: one that may not write never may. */
  private watchForReadOnly(client: Client): void {
    this.current.add(client);
    (client as unknown as Internals).connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY_TRANSACTION) this.current.delete(client);
    });
  }

  private async currentOf(obtain: () => Promise<Obtained>): Promise<Obtained> {
    for (;;) {
      const [client, release] = await obtain();
      if (this.current.has(client)) return [client, release];
      release(new Error('The session was opened while the database took no writes'));
    }
  }
}

/** Before the pool hands a new connection out. */
async function prepare(client: Client, sockets: Set<Socket>): Promise<void> {
  const internals = client as unknown as Internals;
  const socket = internals.connection.stream;
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  const turn = () => socket.setTimeout(SILENCE_MS_MAX / TURNS);
  const passed = () => socket.bytesRead + socket.bytesWritten;
  let [silentTurns, before] = [0, passed()];
  turn();
  socket.on('timeout', () => {
    // A timer that has fired is spent: what is sent later would be waited for without an end.
    turn();
    silentTurns = internals.readyForQuery ? 0 : passed() === before ? silentTurns + 1 : 1;
    before = passed();
    if (silentTurns < TURNS) return;
    // After a stall of this process the timer comes before the answer that has been there all along.
    setImmediate(() => {
      if (passed() === before && !internals.readyForQuery)
        socket.destroy(new Error(`The database did not answer within ${SILENCE_MS_MAX} ms`));
    });
  });
  await setSession(client, POOL_SESSION);
}
