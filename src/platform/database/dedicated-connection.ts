import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { DatabaseClient } from './database-client.js';
import { DatabaseServer } from './database-server.js';
import { PoolerFindings, startSession } from './pooler-check.js';
import { watchSession } from './session-watch.js';

const CONNECT_TIMEOUT_MS = 2000;
const READY_TIMEOUT_MS = 6000;
const CLOSE_TIMEOUT_MS = 500;
const KEEPALIVE_AFTER_MS = 10_000;
const TOO_MANY_CONNECTIONS = '53300';
const RECONNECT_DELAY_MS_MIN = 50;
const RECONNECT_DELAY_MS_MAX = 1000;

interface DedicatedConnectionOptions {
  readonly name: string;
  readonly session: Readonly<Record<string, string>>;
  /** Runs before the connection is usable. If it throws, the connection is replaced. */
  readonly onConnect?: (client: Client) => Promise<void>;
  readonly onLost?: (error: Error) => void;
}

/** One failed reconnect separates a moment without a connection (`lost`) from an unavailable server. */
type State =
  | { readonly kind: 'never-usable' }
  | { readonly kind: 'usable'; readonly client: Client }
  | { readonly kind: 'lost'; readonly sinceMs: number }
  | { readonly kind: 'unavailable'; readonly sinceMs: number };

/**
 * A connection for one purpose, outside the general pool. It reconnects indefinitely, 50 ms to 1 s after each failure. It is only
 * usable while its database session belongs to it alone (ADR 0036).
 */
export class DedicatedConnection {
  private state: State = { kind: 'never-usable' };
  /** Settles when the reconnect after a lost connection has ended. */
  private reconnect = Promise.withResolvers<void>();
  private readonly first = Promise.withResolvers<void>();
  private socket: Socket | null = null;
  private error: Error | null = null;
  private running: Promise<void> | null = null;
  private readonly stopping = new AbortController();
  private readonly pooler: PoolerFindings;
  private readonly server: DatabaseServer;

  constructor(
    private readonly connectionString: string,
    private readonly options: DedicatedConnectionOptions,
  ) {
    this.pooler = new PoolerFindings(connectionString);
    this.server = DatabaseServer.of(connectionString);
  }

  /** Null while no connection is usable. Callers must read it for each use, because it changes on reconnect. */
  get client(): Client | null {
    return this.state.kind === 'usable' ? this.state.client : null;
  }

  /**
   * When the last usable connection was lost (`performance.now()`), if the server is known to be unavailable. It is null while
   * connected, during the first reconnect after a loss, and before the first connection, unless a pooler prevents it.
   */
  get unavailableSinceMs(): number | null {
    return this.state.kind === 'unavailable' ? this.state.sinceMs : null;
  }

  /** False until the first connection was usable, or a pooler has prevented it. */
  get hasBegun(): boolean {
    return this.state.kind !== 'never-usable';
  }

  /** Why a pooler prevents exact decisions of this process, as any of its connections to this URL has found; otherwise null */
  get poolerProblem(): Error | null {
    return this.pooler.problem;
  }

  get firstUsable(): Promise<void> {
    return this.first.promise;
  }

  /** Resolves when a connection is usable, when a reconnect fails, or on `giveUp`. A failed first connection does not resolve it. */
  get settled(): Promise<void> {
    return this.reconnect.promise;
  }

  /** For logs and error causes, never for clients */
  get lastError(): Error | null {
    return this.error;
  }

  start(): void {
    this.running ??= this.keepConnected();
  }

  /** Closes the connection immediately and reconnects. Its queries reject with `error`. */
  destroy(error = new Error('The connection was closed')): void {
    this.markLost(this.client);
    this.socket?.destroy(error);
  }

  /** Compares the server with the one that the other connections of this process use, as after a new connection. */
  async confirmServer(): Promise<void> {
    const { client } = this;
    if (client !== null) this.server.confirm(client, await this.server.identify(client));
  }

  /** Like `destroy`, for an unresponsive server, which counts as unavailable until a new connection is usable. */
  giveUp(error: Error): void {
    if (this.client !== null) this.destroy(error);
    this.markUnavailable();
    this.reconnect.resolve();
  }

  async stop(): Promise<void> {
    const { client, socket } = this;
    this.stopping.abort();
    this.markLost(client);
    if (client === null) {
      socket?.destroy();
    } else {
      const timer = setTimeout(() => socket?.destroy(), CLOSE_TIMEOUT_MS);
      await client.end();
      clearTimeout(timer);
    }
    await this.running;
    this.pooler.closed();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async keepConnected(): Promise<void> {
    let delayMs = RECONNECT_DELAY_MS_MIN;
    while (!this.isStopping) {
      const wasUsable = await this.runUntilClosed();
      delayMs = wasUsable ? RECONNECT_DELAY_MS_MIN : Math.min(2 * delayMs, RECONNECT_DELAY_MS_MAX);
      await pause(delayMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** @returns whether the connection was usable */
  private async runUntilClosed(): Promise<boolean> {
    const socket = new Socket();
    this.socket = socket;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const client = this.newClient(socket);
    const wasUsable = await this.connect(client, socket);
    await closed;
    this.server.leave(client);
    this.markLost(client);
    if (client.hasAlternative && !this.isStopping) return this.runUntilClosed();
    if (wasUsable && !this.isStopping) this.options.onLost?.(this.error ?? new Error('The connection ended'));
    return wasUsable;
  }

  private leave(client: Client, socket: Socket, reason: Error): void {
    this.error = reason;
    this.markLost(client);
    socket.destroy(reason);
  }

  private newClient(socket: Socket): DatabaseClient {
    const client = new DatabaseClient({
      connectionString: this.connectionString,
      application_name: this.options.name,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
      stream: () => socket,
    });
    // The first error is the cause. Later errors are consequences.
    client.once('error', (error: Error) => {
      this.error = error;
    });
    client.on('error', () => {
      this.markLost(client);
      socket.destroy();
    });
    return client;
  }

  private async connect(client: DatabaseClient, socket: Socket): Promise<boolean> {
    const timer = setTimeout(() => socket.destroy(new Error('The connection was not ready in time')), READY_TIMEOUT_MS);
    try {
      await client.connect();
      const pooledSession = await startSession(client, this.connectionString, this.options.session);
      const leave = (reason: Error) => this.leave(client, socket, reason);
      this.server.join(client, await this.server.identify(client), leave);
      await this.options.onConnect?.(client);
      if (socket.destroyed || this.isStopping) throw new Error('The connection closed before it was ready');
      this.markUsable(client, pooledSession);
      return true;
    } catch (error) {
      // Closing the socket causes another error, which would replace the cause.
      client.removeAllListeners('error').on('error', () => undefined);
      socket.destroy();
      // The next host, or the alternative encryption, is tried at once.
      if (client.hasAlternative && !this.isStopping) this.error = null;
      else this.markFailed(error as Error);
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  private markUsable(client: Client, pooledSession: number | null): void {
    this.state = { kind: 'usable', client };
    this.pooler.usable(pooledSession !== null);
    this.first.resolve();
    this.reconnect.resolve();
    if (pooledSession !== null) this.watch(client, pooledSession);
  }

  private watch(client: Client, session: number): void {
    const inUse = () => this.client === client;
    void watchSession(client, session, inUse, (error) => {
      this.pooler.failed(error);
      this.giveUp(error);
    });
  }

  private markLost(client: Client | null): void {
    if (client === null || client !== this.client) return;
    this.state = { kind: 'lost', sinceMs: performance.now() };
    this.reconnect = Promise.withResolvers();
  }

  private markFailed(error: Error): void {
    this.error = error;
    // Admission is exact only with its connection. The pool can wait.
    if ((error as { code?: string }).code === TOO_MANY_CONNECTIONS) this.server.needRoom();
    const isPoolerProblem = this.pooler.failed(error);
    if (this.state.kind === 'never-usable') {
      if (!isPoolerProblem) return;
      this.state = { kind: 'lost', sinceMs: performance.now() };
    }
    this.markUnavailable();
    this.reconnect.resolve();
  }

  private markUnavailable(): void {
    if (this.state.kind === 'lost') this.state = { kind: 'unavailable', sinceMs: this.state.sinceMs };
  }
}
