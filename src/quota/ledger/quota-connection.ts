import type { Client } from 'pg';
import { DedicatedConnection } from '../../platform/database/dedicated-connection.js';
import { StallTolerantTimer } from '../../platform/database/stall-tolerant-timeout.js';
import { LOCK_MS_MAX } from './locked-rows.js';
import { wasRolledBack } from './prepared-statement.js';

/** The timeout includes waits for locks, and exceeds the database's own timeouts. After it, the connection is dropped. */
export const CALL_MS_MAX = 1350;
const STATEMENT_MS_MAX = 1250;

/** The content of the store is unknown. */
export class QuotaStoreUnavailable extends Error {}

/** The database connection of admission. Its calls have a timeout, and are retried once after a broken connection. */
export class QuotaConnection {
  private readonly connection: DedicatedConnection;
  private calls = 0;
  private reading: Promise<unknown> | null = null;

  /** @param strict whether a commit waits for the disk (D13) */
  constructor(url: string, strict: boolean, onConnect: (client: Client) => Promise<void>) {
    this.connection = new DedicatedConnection(url, {
      name: 'gateway admission',
      session: {
        // Planning would cost twice as much as execution, and the statistics of a new table favor sequential scans.
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        jit: 'off',
        statement_timeout: String(STATEMENT_MS_MAX),
        lock_timeout: String(LOCK_MS_MAX),
        // With `relaxed` durability, the last counts are lost if database and gateway crash together.
        synchronous_commit: strict ? 'on' : 'off',
      },
      onConnect,
    });
  }

  start(): void {
    this.connection.start();
  }

  stop(): Promise<void> {
    return this.connection.stop();
  }

  get isConnected(): boolean {
    return this.connection.client !== null;
  }

  get hasBegun(): boolean {
    return this.connection.hasBegun;
  }

  get isIdle(): boolean {
    return this.calls === 0;
  }

  get unavailableSinceMs(): number | null {
    return this.connection.unavailableSinceMs;
  }

  get isBehindUnsafePooler(): boolean {
    return this.connection.poolerProblem !== null;
  }

  /** Resolves when pg's queue has no read before the next statement. */
  get whenRead(): Promise<unknown> | null {
    return this.reading;
  }

  /** Read for each use, because it changes on reconnect. @throws QuotaStoreUnavailable */
  get client(): Client {
    const { client, lastError } = this.connection;
    if (client === null)
      throw new QuotaStoreUnavailable('There is no connection to the database', { cause: lastError });
    return client;
  }

  destroy(error: Error): void {
    this.connection.destroy(error);
  }

  /**
   * Runs a call that changes nothing if it is repeated after a broken connection.
   * @throws QuotaStoreUnavailable if the database does not respond in time; any other error was reported by the database
   */
  async inTime<T>(withinMs = CALL_MS_MAX, call: () => Promise<T>): Promise<T> {
    const ms = Math.min(withinMs, CALL_MS_MAX);
    // pg's own timeout would leave the statement running and the connection in use.
    const timer = new StallTolerantTimer(ms, () => {
      this.connection.giveUp(new QuotaStoreUnavailable(`The database did not respond within ${ms} ms`));
    });
    this.calls += 1;
    try {
      // A lost connection is soon replaced or known to be unavailable. Waiting for that keeps decisions exact.
      if (!this.isConnected && this.unavailableSinceMs === null) await this.connection.settled;
      return await call().catch((error: unknown) => this.retryOnce(error, call));
    } catch (error) {
      throw wasRolledBack(error) ? error : asUnavailable(error);
    } finally {
      this.calls -= 1;
      timer.stop();
    }
  }

  read<T>(statement: (client: Client) => Promise<T>, withinMs?: number): Promise<T> {
    return this.inTime(withinMs, async () => {
      const result = statement(this.client);
      this.reading = result.catch(() => undefined);
      return await result;
    });
  }

  /** Retries once after a broken connection. Nothing is counted twice: the next connection subtracts an unconfirmed batch. */
  private async retryOnce<T>(error: unknown, call: () => Promise<T>): Promise<T> {
    if (wasRolledBack(error) || error instanceof QuotaStoreUnavailable || this.unavailableSinceMs !== null) throw error;
    // The database can report the error before the connection ends.
    this.connection.destroy(error as Error);
    await this.connection.settled;
    return call();
  }
}

const asUnavailable = (error: unknown): QuotaStoreUnavailable =>
  error instanceof QuotaStoreUnavailable
    ? error
    : new QuotaStoreUnavailable('The connection was lost', { cause: error });
