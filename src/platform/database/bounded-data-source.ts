import type { Socket } from 'node:net';
import type { Client, Pool } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { onErrorCode } from '../patches/pg-error-codes.js';
import { closeIfSilent } from '../patches/pg-silent-server.js';
import { DatabaseServer } from './database-server.js';
import { POOL_SESSION } from './data-source-options.js';
import { setSession } from './session-settings.js';

/** The connection is closed if the server sends nothing for this long during a statement. */
const SILENCE_TIMEOUT_MS = 2000;
const CLOSE_TIMEOUT_MS = 1000;
const DRAINING_IDLE_TIMEOUT_MS = 1000;
/** Dedicated connections try again every second at least. */
const ROOM_MS = 10_000;
const CONNECTION_FAILURE = '08006';
const READ_ONLY_TRANSACTION = '25006';

/** A data source that never waits for an unavailable or hanging database, and that replaces read-only sessions (D22). */
export class BoundedDataSource extends DataSource {
  private readonly sockets: Set<Socket>;
  private readonly server: DatabaseServer;
  private roomTimer: NodeJS.Timeout | null = null;
  /** A session keeps the settings from its start, so a session from a read-only database stays read-only. */
  private writable = new WeakSet<Client>();
  private closingIdle: NodeJS.Immediate | null = null;
  private unavailableReason: () => string | null = () => null;

  constructor(options: Extract<DataSourceOptions, { type: 'postgres' }>) {
    const sockets = new Set<Socket>();
    const server = DatabaseServer.of(options.url ?? '');
    const onConnect = async (client: Client) => {
      const socket = closeIfSilent(client, SILENCE_TIMEOUT_MS);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      this.writable.add(client);
      onErrorCode(client, READ_ONLY_TRANSACTION, () => this.writable.delete(client));
      await setSession(client, POOL_SESSION);
      server.join(client, await server.identify(client), () => this.leave(client));
      client.once('end', () => server.leave(client));
    };
    super({ ...options, extra: { ...(options.extra as object), onConnect } });
    this.sockets = sockets;
    this.server = server;
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    this.server.onRoomNeeded(() => this.makeRoom());
    // The pool removes a client that is ending when it is released.
    this.pool.on('release', (_error, client) => {
      if (!this.writable.has(client)) void client.end();
    });
    return this;
  }

  /** Fails queries immediately while the callback returns a reason, that is, while the database is unavailable. */
  failWhile(unavailableReason: () => string | null): void {
    this.unavailableReason = unavailableReason;
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const reason = this.unavailableReason();
    if (reason !== null) throw Object.assign(new Error(reason), { code: CONNECTION_FAILURE });
    return super.createQueryRunner(mode);
  }

  /** Replaces the sessions, which might be read-only. Called when the database accepts writes again. */
  renew(): void {
    this.writable = new WeakSet();
    this.closeIdle();
  }

  /**
   * Closes the idle connections of a process that accepts no more requests, so that its successor can use them. Running requests
   * can still open connections. The connection that stores usage twice a second stays open.
   */
  returnIdleConnections(): void {
    this.pool.options.idleTimeoutMillis = DRAINING_IDLE_TIMEOUT_MS;
    this.closeIdle();
  }

  /** Ends within about a second, even if the server hangs. */
  override async destroy(): Promise<void> {
    this.server.onRoomNeeded(null);
    if (this.roomTimer !== null) clearTimeout(this.roomTimer);
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, CLOSE_TIMEOUT_MS);
    try {
      await super.destroy();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections, and opens at most half as many for a while. Those in use are closed when their work ends. */
  private makeRoom(): void {
    if (this.roomTimer !== null) return;
    const { options } = this.pool;
    const { max } = options;
    options.max = Math.max(1, Math.floor(this.sockets.size / 2));
    this.roomTimer = setTimeout(() => {
      this.roomTimer = null;
      options.max = max;
    }, ROOM_MS).unref();
    this.renew();
  }

  /** A connection in use is closed when its work ends. */
  private leave(client: Client): void {
    this.writable.delete(client);
    this.closingIdle ??= setImmediate(() => {
      this.closingIdle = null;
      this.closeIdle();
    });
  }

  /** TypeORM creates the pool in `initialize`. */
  private get pool(): Pool {
    return (this.driver as PostgresDriver).master as Pool;
  }

  private closeIdle(): void {
    for (let left = this.pool.idleCount; left > 0; left--)
      this.pool.connect((_error, _client, release) => release?.(true));
  }
}
