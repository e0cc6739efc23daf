import { Injectable } from '@nestjs/common';
import type { Client, QueryResultRow } from 'pg';
import { Config } from '../config/config.js';
import { StallTolerantTimer } from './stall-tolerant-timeout.js';
import { DedicatedConnection } from './dedicated-connection.js';

const STATEMENT_TIMEOUT_MS = 1500;
/** Longer than any request waits, so that one slow response on a busy machine does not mark the database as unavailable. */
const SILENCE_TIMEOUT_MS = 2500;

type OnConnect = (client: Client) => Promise<void>;

/** The connection that each process keeps outside the pool, for NOTIFY and to detect outages even if the pool is busy. */
@Injectable()
export class WatchConnection {
  private readonly connectHooks: OnConnect[] = [];
  private readonly lostHooks: (() => void)[] = [];
  private readonly connection: DedicatedConnection;
  private hooksRunning = false;

  constructor(config: Config) {
    if (config.databaseUrl === null)
      throw new Error('DATABASE_URL is not set and the embedded database is not running');
    this.connection = new DedicatedConnection(config.databaseUrl, {
      name: 'gateway-watch',
      session: { statement_timeout: String(STATEMENT_TIMEOUT_MS), jit: 'off' },
      onConnect: async (client) => {
        this.hooksRunning = true;
        try {
          for (const hook of this.connectHooks) await hook(client);
        } finally {
          this.hooksRunning = false;
        }
      },
      onLost: () => this.lostHooks.forEach((hook) => hook()),
    });
  }

  get connected(): boolean {
    return this.connection.client !== null;
  }

  /**
   * Whether the database does not respond, or a reconnect has failed. False during the first reconnect after a loss, and while
   * the hooks of a new connection run, because subscribers can query the database then.
   */
  get unavailable(): boolean {
    return this.connection.unavailableSinceMs !== null && !this.hooksRunning;
  }

  /** Why a pooler prevents exact decisions of this process; null if it does not */
  get poolerProblem(): Error | null {
    return this.connection.poolerProblem;
  }

  get lastError(): Error | null {
    return this.connection.lastError;
  }

  /** Runs `hook` on every new connection before it is usable. Must be called before `start`. */
  onConnect(hook: OnConnect): void {
    this.connectHooks.push(hook);
  }

  onLost(hook: () => void): void {
    this.lostHooks.push(hook);
  }

  start(): void {
    this.connection.start();
  }

  /** @throws immediately without a connection; after 2.5 s without a response, which also closes the connection */
  query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    return this.inTime(async (client) => (await client.query<R>(sql, parameters)).rows);
  }

  /** Makes all connections of this process use the server of this one. @throws like `query` */
  confirmServer(): Promise<void> {
    return this.inTime(() => this.connection.confirmServer());
  }

  private async inTime<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { client } = this.connection;
    if (!client) throw new Error('There is no connection to the database');
    const timer = new StallTolerantTimer(SILENCE_TIMEOUT_MS, () => {
      this.connection.giveUp(new Error('The database does not respond'));
    });
    try {
      return await work(client);
    } finally {
      timer.stop();
    }
  }

  /** Replaces the session, so that the current role and database settings apply. */
  renew(reason: Error): void {
    this.connection.destroy(reason);
  }

  async stop(): Promise<void> {
    await this.connection.stop();
  }
}
