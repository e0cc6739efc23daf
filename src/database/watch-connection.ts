import { Injectable } from '@nestjs/common';
import type { Client, QueryResultRow } from 'pg';
import { Config } from '../config/config.js';
import { DedicatedConnection } from './dedicated-connection.js';

const ANSWER_MS_MAX = 1500;

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
      session: { statement_timeout: String(ANSWER_MS_MAX), jit: 'off', TimeZone: 'UTC' },
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

  /** Connected, or about to be: the database answers, and whoever is told by a hook may ask it. */
  get reachable(): boolean {
    return this.connected || this.answering;
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

  /** Throws at once without a connection, and after 1.5 s without an answer: the connection is then dropped. */
  async query<R extends QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const { client } = this.connection;
    if (!client) throw new Error('There is no connection to the database');
    const timer = setTimeout(() => {
      // After a long stall of this process the answer may have been there all along: it is read first.
      immediate = setImmediate(() => this.connection.destroy(new Error('The database does not answer')));
    }, ANSWER_MS_MAX);
    let immediate: NodeJS.Immediate | undefined;
    try {
      return (await client.query<R>(sql, parameters)).rows;
    } finally {
      clearTimeout(timer);
      clearImmediate(immediate);
    }
  }

  async stop(): Promise<void> {
    await this.connection.stop();
  }
}
