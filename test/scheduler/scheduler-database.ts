import { DataSource } from 'typeorm';
import { AuditLog } from '../../src/audit/audit-log.js';
import { Config } from '../../src/platform/config/config.js';
import { BoundedDataSource } from '../../src/platform/database/bounded-data-source.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import type { Database } from '../../src/platform/database/database.service.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { Outbox } from '../../src/audit/events/outbox.js';
import type { JobRun, Task } from '../../src/scheduler/job.js';
import { JobRunner } from '../../src/scheduler/job-runner.service.js';
import { JobRuns } from '../../src/scheduler/job-runs.read-model.js';
import { KeyEventsTask } from '../../src/scheduler/key-events.task.js';
import { JobLocks } from '../../src/scheduler/stores/job-lock.store.js';
import { JobRunStore } from '../../src/scheduler/stores/job-run.store.js';
import { KeyStandingStore } from '../../src/scheduler/stores/key-standing.store.js';
import { TableMaintenanceStore } from '../../src/scheduler/stores/table-maintenance.store.js';
import { PruningTask } from '../../src/scheduler/pruning-and-vacuum.tasks.js';
import { DatabaseClock } from '../support/database-clock.js';
import { createScratchDatabase } from '../support/scratch-database.js';

interface RunRow {
  readonly run_id: string;
  readonly outcome: string;
  readonly completed: boolean;
  readonly error: string | null;
  readonly counts: Record<string, number>;
  readonly finished_at: Date | null;
}

/** The scheduler's stores and tasks on a scratch database, with the gateway's own pool options. */
export class SchedulerDatabase {
  readonly transactions = new Transactions(this.source);
  readonly runs = new JobRuns(this.source);
  readonly keyEvents = new KeyEventsTask(new KeyStandingStore(this.source), new Outbox(), this.transactions);
  readonly tables = new TableMaintenanceStore(this.source, this.config);
  readonly pruning = new PruningTask(this.tables);
  private readonly runners: JobRunner[] = [];
  nowMs = Date.now();

  private constructor(
    readonly source: DataSource,
    readonly config: Config,
    private readonly clock: DatabaseClock,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async create(): Promise<SchedulerDatabase> {
    const { url, drop } = await createScratchDatabase();
    const source = new BoundedDataSource(dataSourceOptions({ url, poolSize: 10, entities: [], migrations: [] }));
    await source.initialize();
    return new SchedulerDatabase(source, Config.from({ DATABASE_URL: url }), await DatabaseClock.under(source), drop);
  }

  get url(): string {
    return this.config.databaseUrl!;
  }

  query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.source.query<T[]>(sql, parameters);
  }

  /** Stops the database's clock at this time. */
  async put(moment: string | number): Promise<void> {
    this.nowMs = typeof moment === 'number' ? moment : Date.parse(moment);
    await this.clock.put(this.nowMs);
  }

  /** Returns a runner with the state of a separate process. */
  runner(): JobRunner {
    const runner = new JobRunner(
      new JobLocks(this.config, { state: 'ready' } as Database),
      new JobRunStore(this.source),
      this.transactions,
      new AuditLog(),
    );
    this.runners.push(runner);
    return runner;
  }

  async carryOut(task: Task, signal = new AbortController().signal): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const count: JobRun['count'] = (name, by) => {
      if (by !== 0) counts[name] = (counts[name] ?? 0) + by;
    };
    await task.carryOut({ id: 'run', signal, nowMs: () => this.nowMs, count });
    return counts;
  }

  runRows(): Promise<RunRow[]> {
    return this.query<RunRow>('select * from job_runs order by started_at, finished_at nulls last');
  }

  /** Inserts a key. @returns its ID */
  async key(fields: Record<string, unknown> = {}): Promise<string> {
    const given = { name: 'a key', key_hint: 'sk-gw-…abcd', ...fields };
    const columns = Object.keys(given);
    const [row] = await this.query<{ id: string }>(
      `insert into api_keys (key_hash, ${columns.join(', ')})
       values (decode(md5(random()::text), 'hex'), ${columns.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
      Object.values(given),
    );
    return row!.id;
  }

  async stopRunners(): Promise<void> {
    for (const runner of this.runners.splice(0)) await runner.onModuleDestroy();
  }

  async close(): Promise<void> {
    await this.stopRunners();
    await this.source.destroy();
    await this.dropDatabase();
  }
}
