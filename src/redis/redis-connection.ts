import { setTimeout as pause } from 'node:timers/promises';
import type { RedisClientType } from '@redis/client';
import { AwakeTimer } from '../database/awake-timer.js';

const CONNECT_MS_MAX = 2000;
/** Connecting, greeting and `onConnect` together. */
const READY_MS_MAX = 3000;
const GOODBYE_MS_MAX = 500;
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 1000;

type Client = RedisClientType;

export interface RedisConnectionOptions {
  /** How the connection shows in CLIENT LIST. */
  readonly name: string;
  /** What has to be done before anybody may use the connection. If it throws, a new one is tried. */
  readonly onConnect?: (client: Client) => Promise<unknown>;
  /** There is one that can be used. */
  readonly onUsable?: () => void;
  /** It is known that there is none. One that is lost and back at once is not told of. */
  readonly onAway?: (error: Error) => void;
}

/**
 * One connection to Redis or Valkey, made again by itself for as long as it takes, with pauses of 50 ms to 1 s between the
 * attempts. Not by the client's own reconnecting: each connection is a new one to those who use it, and its commands are
 * never sent a second time. The client is loaded when it is started, so that who has no Redis does without.
 */
export class RedisConnection {
  private live: Client | null = null;
  private making: Client | null = null;
  private running: Promise<void> | null = null;
  private error: Error | null = null;
  private down = false;
  private attempt = Promise.withResolvers<void>();
  private readonly stopping = new AbortController();
  /** Counts the connections. */
  generation = 0;

  constructor(
    private readonly url: string,
    private readonly options: RedisConnectionOptions,
  ) {}

  /** Null while there is none that can be used: asked for at each use, never kept. */
  get client(): Client | null {
    return this.live;
  }

  /** Known not to be there: the last attempt to connect has failed, or it was given up. Nobody should wait for it. */
  get away(): boolean {
    return this.down;
  }

  /** Resolves once there is one, or it is known that there is none. */
  get settled(): Promise<void> {
    return this.attempt.promise;
  }

  /** For the log, never for clients. */
  get lastError(): Error | null {
    return this.error;
  }

  start(): void {
    this.running ??= this.keepConnected();
  }

  /** For a server that says nothing, or nothing of use: it counts as away until there is a connection again. */
  giveUp(error: Error): void {
    const client = this.live;
    if (client === null) return;
    this.error = error;
    this.lose(client);
    this.fail();
    client.destroy();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.live = null;
    this.making?.destroy();
    await Promise.race([this.running, pause(GOODBYE_MS_MAX, undefined, { ref: false })]);
  }

  private async keepConnected(): Promise<void> {
    const { signal } = this.stopping;
    let pauseMs = PAUSE_MS_MIN;
    while (!signal.aborted) {
      const wasUsable = await this.oneConnection();
      // The breaker: one that was given up has hung or refused its work, and gets a second before it is asked again.
      pauseMs = wasUsable ? (this.down ? PAUSE_MS_MAX : PAUSE_MS_MIN) : Math.min(2 * pauseMs, PAUSE_MS_MAX);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** From the first packet to the end. Resolves, never rejects: true where the connection was usable in between. */
  private async oneConnection(): Promise<boolean> {
    const client = await this.newClient().catch((error: Error) => {
      // An address that the client cannot read, such as a database that is no number: for the log, again and again the same.
      this.error = error;
      this.fail();
      return null;
    });
    if (client === null) return false;
    const ended = new Promise<void>((resolve) => client.once('end', resolve).once('terminated', () => resolve()));
    this.making = client;
    const usable = await this.makeUsable(client);
    if (usable) await ended;
    client.destroy();
    this.lose(client);
    return usable;
  }

  private async newClient(): Promise<Client> {
    const { createClient } = await import('@redis/client');
    const client = createClient({
      url: this.url,
      name: this.options.name,
      RESP: 2,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      // Limits are set by those who ask, for all that they ask at once.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: CONNECT_MS_MAX, reconnectStrategy: false },
    }) as unknown as Client;
    client.on('error', (error: Error) => {
      if (this.live === client || this.live === null) this.error = error;
      this.lose(client);
    });
    return client;
  }

  private async makeUsable(client: Client): Promise<boolean> {
    let silent = false;
    const timer = new AwakeTimer(READY_MS_MAX, () => {
      silent = true;
      client.destroy();
    });
    try {
      await client.connect();
      await this.options.onConnect?.(client);
      if (!client.isReady || this.stopping.signal.aborted) throw new Error('The connection ended while it was made');
      this.live = client;
      this.down = false;
      this.generation += 1;
      this.attempt.resolve();
      this.options.onUsable?.();
      return true;
    } catch (error) {
      this.error = silent ? new Error('no answer') : (error as Error);
      this.fail();
      return false;
    } finally {
      timer.stop();
    }
  }

  private lose(client: Client): void {
    if (this.live !== client) return;
    this.live = null;
    this.attempt = Promise.withResolvers();
  }

  private fail(): void {
    this.down = true;
    this.attempt.resolve();
    if (!this.stopping.signal.aborted) this.options.onAway?.(this.error ?? new Error('There is no connection'));
  }
}
