import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { AwakeTimer } from '../database/awake-timer.js';
import { RedisConnection, type RedisConnectionOptions } from './redis-connection.js';

const HEARTBEAT_MS = 1000;
/** Longer than any call waits: those have limits of their own. */
const SILENCE_MS_MAX = 1000;

/** Redis cannot be asked, or has not answered in time: nobody knows what it has done. */
export class RedisAway extends Error {}

type Listener = (message: string) => void;

/**
 * The one way to Redis or Valkey (`REDIS_URL`), and what is known of it. Optional: without the setting `configured` is false,
 * nothing is loaded and everything goes by PostgreSQL. A server that hangs is found out within 2 s though nobody asks, and
 * found again within some seconds of its return (D22).
 */
@Injectable()
export class Redis implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly commands: RedisConnection | null;
  private readonly notices: RedisConnection | null;
  private readonly listeners = new Map<string, Listener>();
  private heart: NodeJS.Timeout | undefined;
  private told = false;

  constructor({ redisUrl }: Config) {
    const connect = (options: RedisConnectionOptions) =>
      redisUrl === null ? null : new RedisConnection(redisUrl, options);
    this.commands = connect({
      name: 'gateway',
      onUsable: () => this.tellUp(),
      onAway: (error) => this.tellAway(error),
    });
    // In a connection that hears notices nothing else may be asked.
    this.notices = connect({
      name: 'gateway-notices',
      onConnect: (client) =>
        Promise.all([...this.listeners].map(([channel, listener]) => client.subscribe(channel, listener))),
    });
  }

  get configured(): boolean {
    return this.commands !== null;
  }

  /** There is a connection that can be used. */
  get up(): boolean {
    return (this.commands?.client ?? null) !== null;
  }

  /** Known not to be there: nobody should wait for it. Not while a lost connection is being made anew for the first time. */
  get away(): boolean {
    return this.commands?.away ?? true;
  }

  /** Counts the connections: another number, and what was known of what is stored holds no more. */
  get generation(): number {
    return this.commands?.generation ?? 0;
  }

  onModuleInit(): void {
    if (this.commands === null) return;
    this.commands.start();
    if (this.listeners.size > 0) this.notices?.start();
    this.heart = setInterval(() => this.beat(), HEARTBEAT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.heart);
    await Promise.all([this.commands?.stop(), this.notices?.stop()]);
  }

  /** One listener a channel, to be named before the start. What is published while there is no connection is not heard. */
  subscribe(channel: string, listener: Listener): void {
    this.listeners.set(channel, listener);
  }

  /** Without fail and without a promise that anybody hears it. */
  publish(channel: string, message: string): void {
    this.commands?.client?.sendCommand(['PUBLISH', channel, message]).catch(() => undefined);
  }

  /** Resolves once it can be asked, is known to be away, or `ms` have passed. */
  async settled(ms: number): Promise<void> {
    if (this.commands === null || this.up || this.away) return;
    await new Promise<void>((resolve) => {
      const timer = new AwakeTimer(ms, resolve);
      void this.commands!.settled.then(() => {
        timer.stop();
        resolve();
      });
    });
  }

  /**
   * One command; those of one turn of the event loop leave together.
   * @throws RedisAway without a connection; what Redis itself answers with is thrown as it is
   */
  async send<T>(args: readonly string[]): Promise<T> {
    const client = this.commands?.client ?? null;
    if (client === null) throw new RedisAway('There is no connection to Redis', { cause: this.commands?.lastError });
    return await client.sendCommand([...args]);
  }

  /** Runs `work`, and gives the connection up where it is not done after `ms` in which this process was awake. */
  async within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const timer = new AwakeTimer(ms, () =>
      this.giveUp(new RedisAway(`Redis did not answer within ${Math.ceil(ms)} ms`)),
    );
    try {
      return await work();
    } finally {
      timer.stop();
    }
  }

  /** For a server that hangs or refuses to work: away until there is a new connection, a second later at the earliest. */
  giveUp(error: Error): void {
    this.commands?.giveUp(error);
  }

  private beat(): void {
    if (!this.up) return;
    void this.within(SILENCE_MS_MAX, () => this.send(['PING'])).catch((error: Error) => this.giveUp(error));
  }

  private tellUp(): void {
    if (this.told) this.logger.warn('Redis can be reached again');
    this.told = false;
  }

  private tellAway(error: Error): void {
    if (this.told) return;
    this.told = true;
    this.logger.warn(`Redis is away, counting goes on in PostgreSQL: ${error.message}`);
  }
}
