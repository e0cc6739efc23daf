import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { DedicatedConnection } from './dedicated-connection.js';

/** Less than a request waits in all: starting a job by request includes this wait (D22). */
const CONNECT_MS_MAX = 1500;
/** The server's own limit comes first: it leaves the connection usable. */
const SILENCE_AFTER_LIMIT_MS = 1000;

interface Terms {
  /** `application_name`. */
  readonly name: string;
  /** Of each statement, by the server's clock, and of its wait for a lock. */
  readonly statementMsMax: number;
  /** Settings beside or instead of those that each has. */
  readonly session?: Readonly<Record<string, string>>;
}

/** A connection outside the pool for one piece of work. Once lost it is not replaced, since its locks are lost with it. */
export class TaskConnection {
  private readonly losing = new AbortController();

  private constructor(
    private readonly connection: DedicatedConnection,
    private readonly client: Client,
    private readonly silenceMsMax: number,
  ) {}

  /** @throws within about 2 s if there is no database */
  static async open(url: string, { name, statementMsMax, session }: Terms): Promise<TaskConnection> {
    const connection = new DedicatedConnection(url, {
      name,
      // Keepalives: a server that has lost its client releases the lock within a minute. An idle session is never ended.
      session: {
        ...{ statement_timeout: String(statementMsMax), lock_timeout: String(statementMsMax) },
        ...{ tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' },
        idle_session_timeout: '0',
        ...session,
      },
      onLost: (error) => own?.lose(error),
    });
    let own: TaskConnection | undefined;
    connection.start();
    await Promise.race([connection.firstUsable, pause(CONNECT_MS_MAX, undefined, { ref: false })]);
    const { client } = connection;
    if (client === null) {
      void connection.stop();
      throw connection.lastError ?? new Error('timeout expired when trying to connect');
    }
    return (own = new TaskConnection(connection, client, statementMsMax + SILENCE_AFTER_LIMIT_MS));
  }

  /** Runs `work` on a connection that ends with it, or immediately when `signal` aborts. @throws as `open` and `work` do */
  static async during<T>(
    url: string,
    terms: Terms,
    signal: AbortSignal,
    work: (connection: TaskConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await TaskConnection.open(url, terms);
    const cut = () => void connection.close();
    signal.addEventListener('abort', cut);
    try {
      signal.throwIfAborted();
      return await work(connection);
    } finally {
      signal.removeEventListener('abort', cut);
      await connection.close();
    }
  }

  /** Aborted when the connection is gone without `close`. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** One at a time. The connection is given up where the server says nothing for longer than a statement may take. */
  async query<R extends object>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const timer = setTimeout(
      () => this.connection.destroy(new Error('The database did not answer within the limit')),
      this.silenceMsMax,
    );
    try {
      return (await this.client.query<R>(sql, parameters)).rows;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.connection.stop();
  }

  private lose(error: Error): void {
    this.losing.abort(new Error(`its connection was lost: ${error.message}`));
    void this.connection.stop();
  }
}
