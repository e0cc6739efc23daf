import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { DedicatedConnection } from './dedicated-connection.js';

/** Shorter than the timeout of a request, because a request that starts a job includes this wait (D22). */
const CONNECT_TIMEOUT_MS = 1500;
/** Lets the server's statement timeout fire first, because it leaves the connection usable. */
const SILENCE_AFTER_LIMIT_MS = 1000;

interface TaskOptions {
  readonly name: string;
  /** Server-side timeout of each statement and of each lock wait. */
  readonly statementMsMax: number;
  readonly session?: Readonly<Record<string, string>>;
}

/** A connection outside the pool for one piece of work. A lost connection is not replaced, because its locks are lost too. */
export class TaskConnection {
  /** @param lost aborted when the connection is lost, but not by `close` */
  private constructor(
    private readonly connection: DedicatedConnection,
    private readonly client: Client,
    private readonly silenceMsMax: number,
    readonly lost: AbortSignal,
  ) {}

  /** @throws within about 2 s if the database is unavailable */
  static async open(url: string, { name, statementMsMax, session }: TaskOptions): Promise<TaskConnection> {
    const losing = new AbortController();
    const connection = new DedicatedConnection(url, {
      name,
      // With keepalives, the server detects a lost client and releases its locks within about a minute.
      session: {
        statement_timeout: String(statementMsMax),
        lock_timeout: String(statementMsMax),
        tcp_keepalives_idle: '30',
        tcp_keepalives_interval: '10',
        tcp_keepalives_count: '3',
        ...session,
      },
      onLost: (error) => {
        losing.abort(new Error(`the database connection was lost: ${error.message}`));
        void connection.stop();
      },
    });
    connection.start();
    await Promise.race([connection.firstUsable, pause(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
    const { client } = connection;
    if (client === null) {
      void connection.stop();
      throw connection.lastError ?? new Error('timeout expired when trying to connect');
    }
    return new TaskConnection(connection, client, statementMsMax + SILENCE_AFTER_LIMIT_MS, losing.signal);
  }

  /** Runs `work` on a connection that is closed afterwards, or as soon as `signal` aborts. @throws the errors of both */
  static async during<T>(
    url: string,
    options: TaskOptions,
    signal: AbortSignal,
    work: (connection: TaskConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await TaskConnection.open(url, options);
    const onAbort = () => void connection.close();
    signal.addEventListener('abort', onAbort);
    try {
      signal.throwIfAborted();
      return await work(connection);
    } finally {
      signal.removeEventListener('abort', onAbort);
      await connection.close();
    }
  }

  /** One statement at a time. A connection that is silent 1 s after the statement timeout is closed. */
  async query<R extends object>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const timer = setTimeout(
      () => this.connection.destroy(new Error('The database did not respond within the timeout')),
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
}
