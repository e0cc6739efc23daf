import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { setSession } from './data-source-options.js';

const CONNECT_TIMEOUT_MS = 2000;
/** For connecting, session settings, and `onConnect` together. */
const READY_TIMEOUT_MS = 6000;
const GOODBYE_TIMEOUT_MS = 500;
const KEEPALIVE_AFTER_MS = 10_000;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 1000;

interface DedicatedConnectionOptions {
  readonly name: string;
  readonly session: Readonly<Record<string, string>>;
  /** Runs before the connection is usable. If it throws, the connection is replaced. */
  readonly onConnect?: (client: Client) => Promise<void>;
  /** Called when a usable connection is lost. Its pending queries reject at the same time. */
  readonly onLost?: (error: Error) => void;
}

/** A connection for one purpose, outside the general pool. It reconnects indefinitely, 50 ms to 1 s after each failure. */
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

  constructor(
    private readonly connectionString: string,
    private readonly options: DedicatedConnectionOptions,
  ) {}

  /** Null while no connection is usable. Callers read it for each use, because it changes on reconnect. */
  get client(): Client | null {
    return this.live;
  }

  /**
   * When the last usable connection was lost (`performance.now()`), if the server is known to be unavailable. Null while
   * connected, during the first reconnect after a loss, and before the first connection.
   */
  get awaySinceMs(): number | null {
    return this.failed ? this.lostAtMs : null;
  }

  /** Resolves when a connection is usable for the first time. Never rejects. */
  get firstUsable(): Promise<void> {
    return this.first.promise;
  }

  /** Resolves when a connection is usable, when a reconnect fails, or on `giveUp`. A failed first connection does not resolve it. */
  get settled(): Promise<void> {
    return this.attempt.promise;
  }

  /** Why the connection last failed. For logs and error causes, never for clients. */
  get lastError(): Error | null {
    return this.error;
  }

  start(): void {
    this.running ??= this.keepConnected();
  }

  /** Closes the connection immediately and reconnects. Its queries reject with `error`. */
  destroy(error = new Error('The connection was closed')): void {
    this.lose();
    this.socket?.destroy(error);
  }

  /** Like `destroy`, for an unresponsive server, which counts as unavailable until a new connection is usable. */
  giveUp(error: Error): void {
    if (this.live !== null) this.destroy(error);
    this.fail();
    this.attempt.resolve();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const client = this.live;
    this.lose();
    if (client) {
      const timer = setTimeout(() => this.socket?.destroy(), GOODBYE_TIMEOUT_MS);
      await client.end();
      clearTimeout(timer);
    } else {
      this.socket?.destroy();
    }
    await this.running;
  }

  private async keepConnected(): Promise<void> {
    const { signal } = this.stopping;
    let pauseMs = PAUSE_MIN_MS;
    while (!signal.aborted) {
      const wasUsable = await this.oneConnection();
      pauseMs = wasUsable ? PAUSE_MIN_MS : Math.min(2 * pauseMs, PAUSE_MAX_MS);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Opens one connection and waits until it closes. Never rejects.
   * @returns whether the connection was usable
   */
  private async oneConnection(): Promise<boolean> {
    const socket = new Socket();
    this.socket = socket;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const client = this.newClient(socket);
    const usable = await this.makeUsable(client, socket);
    await closed;
    this.lose(client);
    if (usable && !this.stopping.signal.aborted) {
      this.options.onLost?.(this.error ?? new Error('The connection ended'));
    }
    return usable;
  }

  private newClient(socket: Socket): Client {
    const client = new Client({
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
      this.lose(client);
      socket.destroy();
    });
    return client;
  }

  private async makeUsable(client: Client, socket: Socket): Promise<boolean> {
    const timer = setTimeout(() => socket.destroy(new Error('The connection was not ready in time')), READY_TIMEOUT_MS);
    try {
      await client.connect();
      await setSession(client, this.options.session);
      await this.options.onConnect?.(client);
      if (socket.destroyed || this.stopping.signal.aborted)
        throw new Error('The connection closed before it was ready');
      this.live = client;
      this.failed = false;
      this.first.resolve();
      this.attempt.resolve();
      return true;
    } catch (error) {
      this.error = error as Error;
      socket.destroy();
      this.fail();
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Does nothing if `client` is not the current connection. */
  private lose(client = this.live): void {
    if (this.live === null || this.live !== client) return;
    this.live = null;
    this.lostAtMs = performance.now();
    this.attempt = Promise.withResolvers();
  }

  private fail(): void {
    if (this.lostAtMs === null) return;
    this.failed = true;
    this.attempt.resolve();
  }
}
