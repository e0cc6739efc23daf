import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { setSession } from './data-source-options.js';

const CONNECT_TIMEOUT_MS = 2000;
/** Connecting, session settings and `onConnect` together. */
const READY_TIMEOUT_MS = 6000;
const GOODBYE_TIMEOUT_MS = 500;
const KEEPALIVE_AFTER_MS = 10_000;
const PAUSE_MIN_MS = 50;
const PAUSE_MAX_MS = 1000;

interface DedicatedConnectionOptions {
  /** `application_name`: how the connection shows in pg_stat_activity. */
  readonly name: string;
  /** Set after connecting (`setSession`). */
  readonly session: Readonly<Record<string, string>>;
  /** What has to be done before anybody else may use the connection. If it throws, a new one is tried. */
  readonly onConnect?: (client: Client) => Promise<void>;
  /** A connection that was usable is gone. Its queries fail by themselves, in the same moment. */
  readonly onLost?: (error: Error) => void;
}

/**
 * One connection for one purpose, outside the general pool: made again by itself for as long as it takes, with pauses
 * of 50 ms to 1 s between the attempts.
 */
export class DedicatedConnection {
  private live: Client | null = null;
  private socket: Socket | null = null;
  private running: Promise<void> | null = null;
  private error: Error | null = null;
  private lostAtMs: number | null = null;
  /** Since it was lost an attempt to make it again has failed, or it was given up for its silence. */
  private failed = false;
  private attempt = Promise.withResolvers<void>();
  private readonly first = Promise.withResolvers<void>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly connectionString: string,
    private readonly options: DedicatedConnectionOptions,
  ) {}

  /** Null while there is none that can be used: asked for at each use, never kept. */
  get client(): Client | null {
    return this.live;
  }

  /**
   * Since when it is known that the server cannot be asked: when the last usable connection was lost, by `performance.now()`.
   * Null while there is one, while the first attempt after a loss is under way, and before there ever was one.
   */
  get awaySinceMs(): number | null {
    return this.failed ? this.lostAtMs : null;
  }

  /** Resolves once there has been one that could be used; never where none comes. */
  get firstUsable(): Promise<void> {
    return this.first.promise;
  }

  /** Resolves once there is one, was given up, or, where there was one before, once an attempt to make it again has failed. */
  get settled(): Promise<void> {
    return this.attempt.promise;
  }

  /** Why there was none the last time: for logs and causes, never for clients. */
  get lastError(): Error | null {
    return this.error;
  }

  start(): void {
    this.running ??= this.keepConnected();
  }

  /** Drops the connection at once, whatever it is at, and begins anew. Its queries fail with `error`. */
  destroy(error = new Error('The connection was dropped')): void {
    this.lose();
    this.socket?.destroy(error);
  }

  /** As `destroy`, for a server that says nothing: it counts as away until there is a connection again. */
  giveUp(error: Error): void {
    // One that is being made has its own time limits.
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

  /** From the first packet to the end. Resolves, never rejects: true where the connection was usable in between. */
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
    // The first one is the reason, those after it are consequences.
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
      if (socket.destroyed || this.stopping.signal.aborted) throw new Error('The connection ended while it was made');
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

  /** @param client only if it is this one */
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
