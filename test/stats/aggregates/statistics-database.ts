import { SchedulerRegistry } from '@nestjs/schedule';
import { Client } from 'pg';
import { Clock } from '../../../src/platform/clock.js';
import { Config } from '../../../src/platform/config/config.js';
import { RollupJob } from '../../../src/stats/aggregates/rollup-job.service.js';
import { StatisticsReadModel } from '../../../src/stats/aggregates/statistics.read-model.js';
import { RollupStore, type Query } from '../../../src/stats/aggregates/stores/rollup.store.js';
import { READY_DATABASE } from '../../support/ready-database.js';
import { StatsDatabase } from '../../support/stats-database.js';
import { query } from '../../support/statistics-sample.js';

/** The statistics of one gateway process, with a separate database. */
export class StatisticsDatabase {
  private readonly begun = clockAt(Date.now());
  readonly statistics = new StatisticsReadModel(this.database.source);
  private readonly clients: Client[] = [];

  private constructor(private readonly database: StatsDatabase) {}

  static async create(): Promise<StatisticsDatabase> {
    return new StatisticsDatabase(await StatsDatabase.create());
  }

  get source() {
    return this.database.source;
  }

  get url() {
    return this.database.url;
  }

  /** Creates the job of one process. By default its clock stops at the creation of the database, so that no hour closes during a test. */
  newJob(clock = this.begun): RollupJob {
    const store = new RollupStore(Config.from({ DATABASE_URL: this.url }), this.source);
    return new RollupJob(clock, store, READY_DATABASE, new SchedulerRegistry());
  }

  async rollUp(nowMs?: number): Promise<void> {
    await this.newJob(nowMs === undefined ? undefined : clockAt(nowMs)).run();
  }

  async lateHours(): Promise<number> {
    const [row] = await this.source.query<{ n: number }[]>(
      'select count(distinct hour)::int as n from stats_late_hours',
    );
    return row?.n ?? 0;
  }

  async clear(): Promise<void> {
    await this.source.query('truncate request_logs, stats_rollup, stats_rollup_splits, stats_late_hours');
    await this.source.query(
      'update stats_rollup_state set closed_until = null, rolled_from = null, rolled_until = null, fine_from = null',
    );
  }

  /** Returns the total number of requests in the statistics. */
  async count(): Promise<number> {
    return (await this.statistics.rank('endpoint', query())).reduce((sum, { requests }) => sum + requests, 0);
  }

  async state(): Promise<Record<'closed_until' | 'rolled_until' | 'fine_from', Date | null>> {
    const [row] = await this.source.query<Record<string, Date | null>[]>('select * from stats_rollup_state');
    return row as never;
  }

  /** Returns all rollups in a fixed order. */
  blocks(): Promise<Record<string, unknown>[]> {
    return this.source.query(BLOCKS);
  }

  /** Returns each part of each split in a fixed order. */
  splits(): Promise<Record<string, unknown>[]> {
    return this.source.query(SPLITS);
  }

  /** Deletes all rollups, creates them again from the rows in one run, and returns them. */
  async rebuild(): Promise<Record<string, unknown>[]> {
    await this.source.query('truncate stats_rollup, stats_rollup_splits, stats_late_hours');
    await this.source.query('update stats_rollup_state set rolled_from = null, rolled_until = null, fine_from = null');
    await this.newJob().run();
    return this.blocks();
  }

  /** Opens a separate connection that a test can break. */
  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
    await this.database.close();
  }
}

const clockAt = (nowMs: number): Clock => Object.assign(new Clock(), { now: () => nowMs });

export const queryOn =
  (client: Client): Query =>
  async <R extends object>(sql: string, parameters?: unknown[]) =>
    (await client.query<R>(sql, parameters)).rows;

const BLOCKS = `
  select start, hours, dimension, value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens,
         cost_nanos, unpriced, (select array_agg(row(b, n)::text order by b) from unnest(buckets, counts) h(b, n)) as histogram,
         (select array_agg(row(m, n)::text order by m) from unnest(models, model_counts) h(m, n)) as used
    from stats_rollup order by start, hours, dimension, value`;

const SPLITS = `
  select start, hours, dimension, s.value as of, split_by, p.value, requests, client_errors, server_errors, latency_sum, latency_max,
         input_tokens, output_tokens, cost_nanos, p.unpriced,
         (select array_agg(row(b, n)::text order by b) from unnest(buckets, counts) h(b, n)) as histogram
    from stats_rollup_splits s
   cross join lateral rows from (unnest(parts), unnest(costs), unnest(unpriced))
         as p(value, requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens, buckets, counts,
              cost_nanos, unpriced)
   order by start, hours, dimension, s.value, split_by, p.value`;
