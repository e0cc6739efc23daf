import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { DedicatedConnection } from './dedicated-connection.js';

/** Less than a request may wait in all: whoever asks for a job waits for this too (D22). */
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

/**
 * A connection beside the pool for as long as one piece of work takes, with limits of its own. Once lost it is not made
 * anew: what it held, a lock above all, is gone with it.
 */
export class OwnConnection {
  private readonly losing = new AbortController();

  private constructor(
    private readonly connection: DedicatedConnection,
    private readonly client: Client,
    private readonly silenceMsMax: number,
  ) {}

  /** @throws within 2 s or so where there is no database */
  static async open(url: string, { name, statementMsMax, session }: Terms): Promise<OwnConnection> {
    const connection = new DedicatedConnection(url, {
      name,
      // The last three: a server that has lost its client lets go of the lock within a minute, and of an idle one never.
      session: {
        ...{ statement_timeout: String(statementMsMax), lock_timeout: String(statementMsMax) },
        ...{ tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' },
        idle_session_timeout: '0',
        ...session,
      },
      onLost: (error) => own?.lose(error),
    });
    let own: OwnConnection | undefined;
    connection.start();
    const giveUp = new AbortController();
    await Promise.race([
      connection.firstUsable,
      pause(CONNECT_MS_MAX, undefined, { signal: giveUp.signal }).catch(() => undefined),
    ]);
    giveUp.abort();
    const { client } = connection;
    if (client === null) {
      void connection.stop();
      throw connection.lastError ?? new Error('timeout expired when trying to connect');
    }
    return (own = new OwnConnection(connection, client, statementMsMax + SILENCE_AFTER_LIMIT_MS));
  }

  /**
   * `work` on a connection that ends with it; when `signal` aborts it is cut off, whatever it waits for.
   * @throws what `work` throws; without a database as `open`
   */
  static async during<T>(
    url: string,
    terms: Terms,
    signal: AbortSignal,
    work: (connection: OwnConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await OwnConnection.open(url, terms);
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
