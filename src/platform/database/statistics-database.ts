import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { placeOf } from '../config/database-hosts.rules.js';
import { BoundedDataSource } from './bounded-data-source.js';
import { dataSourceOptions } from './data-source-options.js';
import { ReplicationLag } from './replication-lag.rules.js';
import { ReportSource, type ReportWork } from './report-source.js';
import { isStorageOutage } from './storage-outage.rules.js';
import { WatchConnection } from './watch-connection.js';

const CHECK_INTERVAL_MS = 1000;
/** Positions are bytes since the first write-ahead log. */
const PRIMARY_POSITION = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as position`;
/** Null on a primary, and on a replica that shares the storage of its primary. */
const REPLICA_POSITION = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text as position`;
const CANCELED = '57014';
const RECOVERY_CONFLICT = '40001';
/** A table, column or function is missing, because the replica has not replayed a migration yet. */
const MISSING = /^42(P01|703|883)$/;

interface PositionRow {
  readonly position: string | null;
}

/**
 * Reads reports from a replica, so that they do not slow down admission. Without a replica, and while it is unavailable or lags too
 * much, they read from the primary.
 */
@Injectable()
export class StatisticsDatabase extends ReportSource implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Statistics database');
  private readonly stopping = new AbortController();
  private readonly lag = new ReplicationLag();
  private readonly url: string | null;
  private replica: BoundedDataSource | null = null;
  private inUse = false;
  private running: Promise<void> | null = null;
  private problem = '';

  constructor(
    private readonly config: Config,
    private readonly primary: DataSource,
    private readonly watch: WatchConnection,
  ) {
    super();
    this.url = config.statisticsDatabaseUrl;
  }

  /** Whether reports read from the replica. Null if none is configured. */
  get isUsed(): boolean | null {
    return this.url === null ? null : this.inUse;
  }

  /** Null without a replica, or if it does not report its position. */
  get lagSeconds(): number | null {
    return this.replica === null ? null : this.lag.seconds(performance.now());
  }

  onModuleInit(): void {
    if (this.url !== null) this.running = this.watchReplica(this.url);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (this.replica?.isInitialized) await this.replica.destroy();
  }

  override query<T>(sql: string, parameters?: unknown[]): Promise<T> {
    return this.read((source) => source.query<T>(sql, parameters));
  }

  override transaction<T>(isolation: 'REPEATABLE READ', work: (snapshot: EntityManager) => Promise<T>): Promise<T> {
    return this.read((source) => source.transaction(isolation, work));
  }

  private async read<T>(work: ReportWork<T>): Promise<T> {
    const { replica } = this;
    if (replica === null || !this.inUse) return work(this.primary);
    try {
      return await work(replica);
    } catch (error) {
      if (!this.fallsBack(error)) throw error;
      return work(this.primary);
    }
  }

  /** A report that is too slow on the replica would be too slow on the primary. */
  private fallsBack(error: unknown): boolean {
    const { code } = error as { readonly code?: string };
    if (code === CANCELED) return false;
    if (code === RECOVERY_CONFLICT) return true;
    if (!isStorageOutage(error) && !MISSING.test(code ?? '')) return false;
    this.report((error as Error).message);
    return true;
  }

  private async watchReplica(url: string): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if (this.watch.connected) this.report(await this.check(url));
      } catch (error) {
        if (!signal.aborted) this.report((error as Error).message);
      }
      await pause(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns why the replica is not used, or '' */
  private async check(url: string): Promise<string> {
    const [primary] = await this.watch.query<PositionRow & Record<string, unknown>>(PRIMARY_POSITION);
    const nowMs = performance.now();
    const written = primary?.position ?? null;
    if (written !== null) this.lag.wrote(BigInt(written), nowMs);
    this.replica ??= await this.connect(url);
    const [replayed] = await this.replica.query<PositionRow[]>(REPLICA_POSITION);
    const position = replayed?.position ?? null;
    this.lag.replayed(position === null ? null : BigInt(position));
    const [seconds, max] = [this.lag.seconds(performance.now()), this.config.statisticsLagMaxSeconds];
    return seconds !== null && seconds > max ? `it is more than ${max} s behind` : '';
  }

  private async connect(url: string): Promise<BoundedDataSource> {
    const parts = { url, poolSize: this.config.databasePool, entities: [], migrations: [] };
    const replica = new BoundedDataSource({ ...dataSourceOptions(parts), applicationName: 'gateway-statistics' });
    await replica.initialize();
    return replica;
  }

  private report(problem: string): void {
    const place = placeOf(this.url ?? '');
    if (problem === '' && !this.inUse) {
      const text = `Reports read from ${place}`;
      if (this.problem === '') this.logger.log(text);
      else this.logger.warn(`${text} again`);
    }
    if (problem !== '' && (this.inUse || this.problem === ''))
      this.logger.warn(`Reports read from the primary, because ${place} cannot be used: ${problem}`);
    this.problem = problem;
    this.inUse = problem === '';
  }
}
