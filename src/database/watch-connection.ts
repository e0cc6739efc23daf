import { Injectable } from '@nestjs/common';
import type { Client, QueryResultRow } from 'pg';
import { Config } from '../config/config.js';
import { StallTolerantTimer } from './stall-tolerant-timeout.js';
import { DedicatedConnection } from './dedicated-connection.js';

/** By the server's clock. */
const STATEMENT_MS_MAX = 1500;
/**
 * Longer than any request waits: those have limits of their own, and one late answer on a busy machine is no reason to
 * refuse everybody for a moment.
 */
const SILENCE_MS_MAX = 2500;

type OnConnect = (client: Client) => Promise<void>;

/**
 * One connection outside the pool that a process always keeps: it hears notices, and it tells whether the database is
 * there, also while every connection of the pool is busy.
 */
@Injectable()
export class WatchConnection {
  private readonly connectHooks: OnConnect[] = [];
  private readonly lostHooks: (() => void)[] = [];
  private readonly connection: DedicatedConnection;
  private answering = false;

  constructor(config: Config) {
    if (config.databaseUrl === null) throw new Error('No database: the embedded one has to be started first');
    this.connection = new DedicatedConnection(config.databaseUrl, {
      name: 'gateway-watch',
      session: { statement_timeout: String(STATEMENT_MS_MAX), jit: 'off' },
      onConnect: async (client) => {
        this.answering = true;
        try {
          for (const hook of this.connectHooks) await hook(client);
        } finally {
          this.answering = false;
        }
      },
      onLost: () => this.lostHooks.forEach((hook) => hook()),
    });
  }

  get connected(): boolean {
    return this.connection.client !== null;
  }

  /**
   * It was there, and is known not to be: silent, or not to be had again. Not while a lost connection is being made anew
   * for the first time, nor while the hooks of a new one run: whoever is told by them may ask the database.
   */
  get away(): boolean {
    return this.connection.awaySinceMs !== null && !this.answering;
  }

  /** Why there is no connection: for the log, never for clients. */
  get lastError(): Error | null {
    return this.connection.lastError;
  }

  /** What has to be done on every new connection before it counts as one. To be called before `start`. */
  onConnect(hook: OnConnect): void {
    this.connectHooks.push(hook);
  }

  onLost(hook: () => void): void {
    this.lostHooks.push(hook);
  }

  start(): void {
    this.connection.start();
  }

  /** Throws at once without a connection, and after 2.5 s without an answer: the connection is then dropped. */
  async query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const { client } = this.connection;
    if (!client) throw new Error('There is no connection to the database');
    const timer = new StallTolerantTimer(SILENCE_MS_MAX, () => {
      this.connection.giveUp(new Error('The database does not answer'));
    });
    try {
      return (await client.query<R>(sql, parameters)).rows;
    } finally {
      timer.stop();
    }
  }

  /** In place of this session another one, which begins with what role and database are set to by now. */
  renew(reason: Error): void {
    this.connection.destroy(reason);
  }

  async stop(): Promise<void> {
    await this.connection.stop();
  }
}
