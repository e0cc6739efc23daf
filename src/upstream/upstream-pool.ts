import { Client, type buildConnector } from 'undici';
import '../platform/patches/undici-continue.js';
import { ConnectionReuse, REST_MS } from './connection-reuse.js';

/** Beyond this number of idle connections, the oldest is used before its rest has ended. */
const RESTING_MAX = 128;

/** The socket is opened for the first request. Once either side has closed it, the pool drops the connection. */
export interface PooledConnection {
  readonly client: Client;
  /** Includes a running request. */
  requests: number;
  /** Measured by the pool's `EventLoopClock`. Null while a request runs. */
  idleSinceMs: number | null;
  /** The idle time before the latest request. 0 for the first request. */
  idleMs: number;
}

/**
 * The connections to one origin. undici's own pool searches all its connections for a free one at each request.
 *
 * A connection rests after each response until the upstream is known to keep connections open. A server that closes connections
 * without notice then closes them during the rest, when they carry no request. `ConnectionReuse` learns how the upstream behaves.
 */
export class UpstreamPool {
  private readonly connections = new Set<PooledConnection>();
  /** Connections without a request, in the order in which they became idle. */
  private readonly idle: PooledConnection[] = [];
  private readonly clock = new EventLoopClock(() => this.idle.length > 0);
  private readonly reuse = new ConnectionReuse();
  private readonly options: Client.Options;
  private retired = false;

  /** @param connectionsMax must not be less than the number of concurrent requests */
  constructor(
    private readonly origin: string,
    connect: buildConnector.connector,
    private readonly connectionsMax: number,
  ) {
    this.options = {
      // HTTP/2 would share connections, but permits count connections, and an abort must close one.
      allowH2: false,
      pipelining: 1,
      // `UpstreamCall` has its own timeouts, because undici's are up to 1 s late and interim responses extend them.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    };
  }

  /** Returns an idle or a new connection for one request. The caller must `release` or `drop` it. */
  take(): PooledConnection {
    const connection = this.takeRested() ?? this.takeAtMaximum() ?? this.open();
    connection.requests += 1;
    connection.idleMs = connection.idleSinceMs === null ? 0 : this.clock.nowMs - connection.idleSinceMs;
    connection.idleSinceMs = null;
    return connection;
  }

  /** Called after a complete response. Another request can then use the connection. */
  release(connection: PooledConnection): void {
    if (this.retired) return this.drop(connection);
    if (!this.connections.has(connection)) return;
    connection.idleSinceMs = this.clock.nowMs;
    this.idle.push(connection);
    this.clock.run();
  }

  /** Called instead of `release` if the connection must not be reused. */
  drop(connection: PooledConnection): void {
    if (this.connections.delete(connection)) void connection.client.close().catch(() => undefined);
  }

  /** The connection was closed after its latest request was sent, and before a response. */
  onLost({ idleMs }: PooledConnection): void {
    this.reuse.onLost(idleMs);
  }

  /** Closes idle connections now, and the others after their request. No new request must follow. */
  retire(): void {
    this.retired = true;
    for (const connection of this.idle.splice(0)) this.drop(connection);
  }

  /** Closes all connections now, including those with a running request. */
  async destroy(): Promise<void> {
    await Promise.all([...this.connections].map(({ client }) => client.destroy()));
  }

  get empty(): boolean {
    return this.connections.size === 0;
  }

  /** The number of open sockets. */
  get connected(): number {
    let sockets = 0;
    for (const { client } of this.connections) if (client.stats.connected) sockets += 1;
    return sockets;
  }

  /** Takes the most recently used connection that has rested, so that the others can time out. */
  private takeRested(): PooledConnection | undefined {
    const { idle, reuse } = this;
    const [oldest] = idle;
    if (oldest === undefined) return undefined;
    const { nowMs } = this.clock;
    reuse.onOpen(nowMs - oldest.idleSinceMs!);
    const isFull = idle.length >= RESTING_MAX;
    const rested = idle.findLastIndex(({ idleSinceMs }) => nowMs - idleSinceMs! >= reuse.restMs);
    if (rested === -1 && !isFull) return undefined;
    const at = Math.max(rested, 0);
    const connection = idle[at]!;
    if (rested !== -1) reuse.onRested(connection.requests);
    const idleMsMax = isFull ? Math.max(reuse.idleMsMax, REST_MS) : reuse.idleMsMax;
    // Without proof and without a close, more than `RESTING_MAX` new connections would prove nothing.
    const isUsable = nowMs - connection.idleSinceMs! <= idleMsMax || (isFull && !reuse.seenClosed);
    if (isUsable) return idle.splice(at, 1)[0];
    // All connections up to this one have been idle too long. The oldest shows how long the upstream keeps a connection.
    if (reuse.seenClosed) for (const old of idle.splice(1, at)) this.drop(old);
    return undefined;
  }

  /** If no connection can be added, takes the oldest idle one. If the upstream might close it, a new one replaces it. */
  private takeAtMaximum(): PooledConnection | undefined {
    if (this.connections.size < this.connectionsMax) return undefined;
    const oldest = this.idle.shift();
    if (oldest === undefined) return undefined;
    const { seenKept, idleMsMax } = this.reuse;
    if (seenKept && this.clock.nowMs - oldest.idleSinceMs! <= idleMsMax) return oldest;
    this.drop(oldest);
    return undefined;
  }

  private open(): PooledConnection {
    const client = new Client(this.origin, this.options);
    const connection: PooledConnection = { client, requests: 0, idleSinceMs: null, idleMs: 0 };
    // A new client resolves the host name again, because the address can have changed.
    client.on('connectionError', () => this.drop(connection));
    client.on('disconnect', (_origin, _targets, error) => this.onDisconnect(connection, error));
    this.connections.add(connection);
    return connection;
  }

  private onDisconnect(connection: PooledConnection, { code }: { readonly code: string }): void {
    const { idleSinceMs } = connection;
    // While a request runs, its `UpstreamCall` handles the disconnect.
    if (idleSinceMs === null || !this.connections.delete(connection)) return;
    this.idle.splice(this.idle.indexOf(connection), 1);
    const idleMs = this.clock.nowMs - idleSinceMs;
    if (code === CLOSED_BY_UNDICI) this.reuse.onOpen(idleMs);
    else this.reuse.onClosed(idleMs);
  }
}

/** undici closed the connection itself, after `Connection: close` or the `Keep-Alive` timeout. */
const CLOSED_BY_UNDICI = 'UND_ERR_INFO';

const STEP_MS = 10;

/** A clock that stops while the process is stalled, because the process cannot detect a closed connection during a stall. */
class EventLoopClock {
  nowMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param isNeeded checked at each step; if false, the clock stops until the next `run()` */
  constructor(private readonly isNeeded: () => boolean) {}

  run(): void {
    this.timer ??= setInterval(() => this.step(), STEP_MS).unref();
  }

  private step(): void {
    this.nowMs += STEP_MS;
    if (this.isNeeded()) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
