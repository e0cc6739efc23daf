import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource, type MigrationInterface } from 'typeorm';
import { Config } from '../config/config.js';
import { BoundedDataSource } from './bounded-data-source.js';
import { databaseProblem } from './database-problem.rules.js';
import { TaskConnection } from './task-connection.js';
import { WatchConnection } from './watch-connection.js';
import { migrateAtStart } from './migration-run.js';

const FIRST_CONNECT_WAIT_MS = 2000;
const CONNECT_CHECK_INTERVAL_MS = 100;
const CHECK_INTERVAL_MS = 1000;
const LOG_INTERVAL_MS = 60_000;
/** Errors of a connected database for which `databaseProblem` has advice: missing rights or schema, and a wrong encoding. */
const ADVISED_CODES: ReadonlySet<string> = new Set(['42501', '3F000', 'GW_ENCODING']);
/** Sessions on a standby are read-only too. */
const READ_ONLY = `select current_setting('transaction_read_only') = 'on' as read_only`;
/** A role without further rights sees what its own sessions wait for. Commits of lost connections still wait. */
const STATE = `${READ_ONLY}, exists (
  select from pg_stat_activity
   where wait_event = 'SyncRep' and datname = current_database() and clock_timestamp() - query_start > interval '1.5 seconds'
) as waits_for_standby`;
const FRESH_SESSION = { name: 'gateway-watch', statementMsMax: 1500 };

/**
 * - `connecting`: before the first connection and its migrations have succeeded.
 * - `away`: unreachable, behind an unsafe pooler, or read-only, or its commits wait for a synchronous standby. A former primary is
 *   read-only after a failover (D22).
 */
type DatabaseState = 'connecting' | 'ready' | 'away';

interface ReadOnlyRow {
  readonly read_only: boolean;
}

interface StateRow extends ReadOnlyRow {
  readonly waits_for_standby: boolean;
}

/** Connects and migrates without blocking startup, and detects an outage or its end within 5 s (D22). */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stopping = new AbortController();
  private readonly ready = Promise.withResolvers<void>();
  private started = false;
  private readOnly = false;
  private waitsForStandby = false;
  private running: Promise<void> | null = null;
  private lastLogged = { text: '', atMs: 0 };

  constructor(
    private readonly config: Config,
    private readonly source: DataSource,
    private readonly watch: WatchConnection,
  ) {}

  /** Why a pooler prevents exact decisions of this process; null if it does not (ADR 0036) */
  get poolerProblem(): Error | null {
    return this.watch.poolerProblem;
  }

  get state(): DatabaseState {
    if (!this.started) return 'connecting';
    const isWritable = !this.readOnly && !this.waitsForStandby;
    return this.watch.unavailable || !isWritable || this.poolerProblem !== null ? 'away' : 'ready';
  }

  private get unavailableReason(): string | null {
    if (!this.started) return 'The database has not been reached yet';
    return this.watch.unavailable ? 'The database is unavailable' : null;
  }

  whenReady(): Promise<void> {
    return this.ready.promise;
  }

  /** Waits up to 2 s for the database, so that the first requests do not fail. Then startup continues without it. */
  async onModuleInit(): Promise<void> {
    if (this.source instanceof BoundedDataSource) this.source.failWhile(() => this.unavailableReason);
    this.watch.onLost(() =>
      this.logger.warn(`The connection to the database was lost: ${this.watch.lastError?.message}`),
    );
    this.watch.onConnect(async () => {
      if (this.started) this.logger.log('The database is reachable again');
    });
    this.watch.start();
    this.running = this.watchState();
    await Promise.race([this.whenReady(), pause(FIRST_CONNECT_WAIT_MS, undefined, { ref: false })]);
  }

  /** Called when the process accepts no more requests. */
  returnIdleConnections(): void {
    if (this.source instanceof BoundedDataSource && this.source.isInitialized) this.source.returnIdleConnections();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.watch.stop();
    await this.running;
  }

  private async watchState(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.check();
      const connecting = !this.started && !this.watch.connected;
      await pause(connecting ? CONNECT_CHECK_INTERVAL_MS : CHECK_INTERVAL_MS, undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  private async check(): Promise<void> {
    try {
      if (this.started) await this.checkServer();
      else await this.connectAndMigrate();
    } catch (error) {
      if (!this.stopping.signal.aborted && !this.started) this.logNotReady(this.reasonOf(error));
    }
    if (this.started && this.poolerProblem !== null) this.logNotReady(this.adviceFor(this.poolerProblem));
  }

  private async checkServer(): Promise<void> {
    await this.watch.confirmServer();
    const [state] = await this.watch.query<StateRow>(STATE);
    this.seeCommits(state?.waits_for_standby === true);
    const readOnly = state?.read_only === true && (await this.isReadOnly());
    if (readOnly === this.readOnly) return;
    this.logger.warn(readOnly ? 'The database is read-only' : 'The database accepts writes again');
    this.readOnly = readOnly;
    if (!readOnly && this.source instanceof BoundedDataSource) this.source.renew();
  }

  private seeCommits(waitsForStandby: boolean): void {
    if (waitsForStandby === this.waitsForStandby) return;
    this.waitsForStandby = waitsForStandby;
    if (waitsForStandby)
      this.logger.warn(
        'Commits wait for a synchronous standby. Check pg_stat_replication and synchronous_standby_names',
      );
    else this.logger.log('Commits no longer wait for a synchronous standby');
  }

  /** A session keeps the settings from its start, so only a new session shows whether the database is still read-only. */
  private async isReadOnly(): Promise<boolean> {
    const { signal } = this.stopping;
    const ask = (own: TaskConnection) => own.query<ReadOnlyRow>(READ_ONLY);
    // Without a server that accepts writes, `target_session_attrs` can reject every new session.
    const [fresh] = await TaskConnection.during(this.config.databaseUrl ?? '', FRESH_SESSION, signal, ask).catch(
      () => [],
    );
    if (fresh?.read_only !== false) return true;
    this.watch.renew(new Error('The session was opened while the database was read-only'));
    return false;
  }

  private async connectAndMigrate(): Promise<void> {
    if (!this.watch.connected) {
      if (this.watch.lastError) throw this.watch.lastError;
      return;
    }
    const query = (sql: string, parameters?: unknown[]) => this.watch.query<Record<string, unknown>>(sql, parameters);
    const applied = await migrateAtStart(query, this.config.migrate, {
      url: this.config.databaseUrl ?? '',
      migrations: this.source.options.migrations as (new () => MigrationInterface)[],
      waitSeconds: this.config.migrationWaitSeconds,
      onRetry: (text) => this.logger.warn(text),
      signal: this.stopping.signal,
    });
    if (applied.length > 0) this.logger.log(`Migrations applied: ${applied.join(', ')}`);
    await this.source.initialize();
    if (this.stopping.signal.aborted) return this.source.destroy();
    this.started = true;
    this.ready.resolve();
  }

  private reasonOf(error: unknown): string {
    const { connected, lastError, poolerProblem } = this.watch;
    if (poolerProblem !== null) return this.adviceFor(poolerProblem);
    const problem = connected ? error : (lastError ?? error);
    if (connected && !ADVISED_CODES.has((error as { code?: string } | null)?.code ?? '')) return textOf(error);
    return this.adviceFor(problem);
  }

  private adviceFor(problem: unknown): string {
    const { databaseUrl, databaseVariable } = this.config;
    const { message, advice } = databaseProblem(problem, databaseUrl ?? '', databaseVariable);
    return `${message}. ${advice}`;
  }

  private logNotReady(text: string): void {
    const nowMs = performance.now();
    if (text === this.lastLogged.text && nowMs - this.lastLogged.atMs < LOG_INTERVAL_MS) return;
    this.lastLogged = { text, atMs: nowMs };
    this.logger.warn(`Not ready: ${text}`);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
}
