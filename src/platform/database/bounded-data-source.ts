import type { Socket } from 'node:net';
import type { Client, Pool } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { POOL_SESSION } from './data-source-options.js';
import { setSession } from './session-settings.js';

/** The connection is closed if the server sends nothing for this long during a statement (D22). */
const SILENCE_TIMEOUT_MS = 2000;
/** Silence is measured in slices. A stall of this process or machine counts as one slice at most. */
const SLICES = 4;
const CLOSE_TIMEOUT_MS = 1000;
const DRAINING_IDLE_TIMEOUT_MS = 1000;
const CONNECTION_FAILURE = '08006';
const READ_ONLY_TRANSACTION = '25006';

interface Internals {
  readonly connection: {
    readonly stream: Socket;
    on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): void;
  };
  readonly readyForQuery: boolean;
}

type ObtainedClient = [Client, (error?: Error) => void];

/**
 * A data source that never waits for a hanging server. The driver's `query_timeout` would return the connection to the pool
 * while its statement is still running, and the next caller would wait behind it.
 */
export class BoundedDataSource extends DataSource {
  private readonly sockets: Set<Socket>;
  /** Sessions outside this set were opened while the database was read-only. */
  private reusable = new WeakSet<Client>();
  private unavailableReason: () => string | null = () => null;

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
    const obtain = driver.obtainMasterConnection.bind(driver) as () => Promise<ObtainedClient>;
    driver.obtainMasterConnection = () => this.obtainReusable(obtain);
  }

  /** Fails queries immediately while the callback returns a reason, that is, while the database is unavailable (D22). */
  failWhile(unavailableReason: () => string | null): void {
    this.unavailableReason = unavailableReason;
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const reason = this.unavailableReason();
    if (reason !== null) throw Object.assign(new Error(reason), { code: CONNECTION_FAILURE });
    return super.createQueryRunner(mode);
  }

  /** Stops reusing the existing sessions, which might still be read-only. Called when the database accepts writes again. */
  renew(): void {
    this.reusable = new WeakSet();
  }

  /**
   * Closes the idle connections of a process that accepts no more requests, so that its successor can use them. Running requests
   * can still open connections. The connection that stores usage twice a second stays open.
   */
  returnIdleConnections(): void {
    const pool = (this.driver as PostgresDriver).master as Pool | undefined;
    if (pool === undefined) return;
    pool.options.idleTimeoutMillis = DRAINING_IDLE_TIMEOUT_MS;
    for (let left = pool.idleCount; left > 0; left--) pool.connect((_error, _client, release) => release?.(true));
  }

  /** Ends within about a second, even if the server hangs. */
  override async destroy(): Promise<void> {
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, CLOSE_TIMEOUT_MS);
    try {
      await super.destroy();
    } finally {
      clearTimeout(timer);
    }
  }

  /** A session keeps the role and database settings from its start, so a read-only session stays read-only. */
  private watchForReadOnly(client: Client): void {
    this.reusable.add(client);
    (client as unknown as Internals).connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY_TRANSACTION) this.reusable.delete(client);
    });
  }

  private async obtainReusable(obtain: () => Promise<ObtainedClient>): Promise<ObtainedClient> {
    for (;;) {
      const [client, release] = await obtain();
      if (this.reusable.has(client)) return [client, release];
      release(new Error('The session was opened while the database was read-only'));
    }
  }
}

async function prepare(client: Client, sockets: Set<Socket>): Promise<void> {
  const internals = client as unknown as Internals;
  const socket = internals.connection.stream;
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  const startSlice = () => socket.setTimeout(SILENCE_TIMEOUT_MS / SLICES);
  const bytesTransferred = () => socket.bytesRead + socket.bytesWritten;
  let [silentSlices, before] = [0, bytesTransferred()];
  startSlice();
  socket.on('timeout', () => {
    // The timer must be restarted. Otherwise, after it has fired once, a statement that hangs without traffic would never time
    // out.
    startSlice();
    silentSlices = internals.readyForQuery ? 0 : bytesTransferred() === before ? silentSlices + 1 : 1;
    before = bytesTransferred();
    if (silentSlices < SLICES) return;
    // After a stall of this process, timers run before sockets are read, and the response might already be there.
    setImmediate(() => {
      if (bytesTransferred() === before && !internals.readyForQuery)
        socket.destroy(new Error(`The database did not respond within ${SILENCE_TIMEOUT_MS} ms`));
    });
  });
  await setSession(client, POOL_SESSION);
}
