import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { DatabaseClient } from './database-client.js';
import { PoolerFindings, startSession } from './pooler-check.js';
import { watchSession } from './session-watch.js';

const CONNECT_TIMEOUT_MS = 2000;
const READY_TIMEOUT_MS = 6000;
const CLOSE_TIMEOUT_MS = 500;
const KEEPALIVE_AFTER_MS = 10_000;
const RECONNECT_DELAY_MS_MIN = 50;
const RECONNECT_DELAY_MS_MAX = 1000;

interface DedicatedConnectionOptions {
  readonly name: string;
  readonly session: Readonly<Record<string, string>>;
  /** Runs before the connection is usable. If it throws, the connection is replaced. */
  readonly onConnect?: (client: Client) => Promise<void>;
  readonly onLost?: (error: Error) => void;
}

/**
 * A connection for one purpose, outside the general pool. It reconnects indefinitely, 50 ms to 1 s after each failure. It is only
 * usable while its database session belongs to it alone (ADR 0036).
 */
export class DedicatedConnection {
  private live: Client | null = null;
  private socket: Socket | null = null;
  private running: Promise<void> | null = null;
  private error: Error | null = null;
  private lostAtMs: number | null = null;
  /** Since the loss, a reconnect has failed or `giveUp` was called. */
  private failed = false;
  private attempt = Promise.withResolvers<void>();
  private readonly first = Promise.withResolvers<void>();
  private readonly stopping = new AbortController();
  private readonly pooler: PoolerFindings;

  constructor(
    private readonly connectionString: string,
    private readonly options: DedicatedConnectionOptions,
  ) {
    this.pooler = new PoolerFindings(connectionString);
  }

  /** Null while no connection is usable. Callers must read it for each use, because it changes on reconnect. */
  get client(): Client | null {
    return this.live;
  }

  /**
   * When the last usable connection was lost (`performance.now()`), if the server is known to be unavailable. It is null while
   * connected, during the first reconnect after a loss, and before the first connection, unless a pooler prevents it.
   */
  get unavailableSinceMs(): number | null {
    return this.failed ? this.lostAtMs : null;
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
    return this.attempt.promise;
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
    this.markLost();
    this.socket?.destroy(error);
  }

  /** Like `destroy`, for an unresponsive server, which counts as unavailable until a new connection is usable. */
  giveUp(error: Error): void {
    if (this.live !== null) this.destroy(error);
    this.markFailed();
    this.attempt.resolve();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const client = this.live;
    this.markLost();
    if (client) {
      const timer = setTimeout(() => this.socket?.destroy(), CLOSE_TIMEOUT_MS);
      await client.end();
      clearTimeout(timer);
    } else {
      this.socket?.destroy();
    }
    await this.running;
    this.pooler.closed();
  }

  private async keepConnected(): Promise<void> {
    const { signal } = this.stopping;
    let delayMs = RECONNECT_DELAY_MS_MIN;
    while (!signal.aborted) {
      const wasUsable = await this.runConnection();
      delayMs = wasUsable ? RECONNECT_DELAY_MS_MIN : Math.min(2 * delayMs, RECONNECT_DELAY_MS_MAX);
      await pause(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async runConnection(): Promise<boolean> {
    const socket = new Socket();
    this.socket = socket;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const client = this.newClient(socket);
    const usable = await this.makeUsable(client, socket);
    await closed;
    this.markLost(client);
    if (client.hasAlternative && !this.stopping.signal.aborted) {
      this.error = null;
      return this.runConnection();
    }
    if (usable && !this.stopping.signal.aborted) {
      this.options.onLost?.(this.error ?? new Error('The connection ended'));
    }
    return usable;
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

  private async makeUsable(client: Client, socket: Socket): Promise<boolean> {
    const timer = setTimeout(() => socket.destroy(new Error('The connection was not ready in time')), READY_TIMEOUT_MS);
    try {
      await client.connect();
      const pooled = await startSession(client, this.connectionString, this.options.session);
      await this.options.onConnect?.(client);
      if (socket.destroyed || this.stopping.signal.aborted)
        throw new Error('The connection closed before it was ready');
      this.live = client;
      this.failed = false;
      this.pooler.usable(pooled !== null);
      this.first.resolve();
      this.attempt.resolve();
      if (pooled !== null) this.watch(client, pooled);
      return true;
    } catch (error) {
      this.error = error as Error;
      // Closing the socket causes another error, which would replace the cause.
      client.removeAllListeners('error').on('error', () => undefined);
      socket.destroy();
      if (this.pooler.failed(error)) this.lostAtMs ??= performance.now();
      this.markFailed();
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  private watch(client: Client, session: number): void {
    const inUse = () => this.live === client;
    void watchSession(client, session, inUse, (error) => {
      this.pooler.failed(error);
      this.giveUp(error);
    });
  }

  private markLost(client = this.live): void {
    if (this.live === null || this.live !== client) return;
    this.live = null;
    this.lostAtMs = performance.now();
    this.attempt = Promise.withResolvers();
  }

  private markFailed(): void {
    if (this.lostAtMs === null) return;
    this.failed = true;
    this.attempt.resolve();
  }
}
