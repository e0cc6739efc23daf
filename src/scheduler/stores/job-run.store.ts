import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../platform/database/transactions.js';
import type { JobCounts, JobName, Occasion } from '../job.js';

const ERROR_CHARACTERS_MAX = 1000;

interface NewRun {
  readonly runId: string;
  readonly job: JobName;
  readonly dueAtMs: number | null;
}

interface FinishedRun {
  readonly runId: string;
  readonly completed: boolean;
  readonly counts: JobCounts;
  readonly error: string | null;
}

/** Times in `job_runs` are those of the database's clock. */
@Injectable()
export class JobRunStore {
  constructor(private readonly source: DataSource) {}

  /** Until the transaction ends, no other process can take the job's lock and write its row. */
  async enter(transaction: Transaction, job: JobName): Promise<void> {
    await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`job-begins:${job}`]);
  }

  /** Returns null if no run is running. The holder of the lock is then about to release it. */
  async runningId(transaction: Transaction, job: JobName): Promise<string | null> {
    const rows = await transaction.query<{ run_id: string }[]>(
      `select run_id from job_runs where job = $1 and outcome = 'running' order by started_at desc limit 1`,
      [job],
    );
    return rows[0]?.run_id ?? null;
  }

  /** Closes runs of dead processes. The caller must hold the job's lock, so no other run is active. */
  async closeAbandoned(transaction: Transaction, job: JobName): Promise<void> {
    await transaction.query(
      `update job_runs set outcome = 'failed', finished_at = greatest(started_at, clock_timestamp()), error = 'its process died'
        where job = $1 and outcome = 'running'`,
      [job],
    );
  }

  /** Whether `occasion` still requires a run. */
  async isDue(transaction: Transaction, job: JobName, occasion: Occasion): Promise<boolean> {
    switch (occasion.kind) {
      case 'requested':
        return true;
      case 'due':
        return this.isNone(transaction, NO_LATER_DUE, [job, timeOf(occasion.dueAtMs)]);
      case 'missed':
        return this.isNone(transaction, NO_COMPLETED, [job, occasion.withinMs]);
      default:
        return occasion satisfies never;
    }
  }

  /** Returns the start time in milliseconds since 1970. */
  async insert(transaction: Transaction, { runId, job, dueAtMs }: NewRun): Promise<number> {
    const [row] = await transaction.query<{ started_at: Date }[]>(
      `insert into job_runs (run_id, job, due_at, started_at, outcome) values ($1, $2, $3, clock_timestamp(), 'running') returning started_at`,
      [runId, job, dueAtMs === null ? null : timeOf(dueAtMs)],
    );
    return row!.started_at.getTime();
  }

  /** Does nothing if another process has closed the run in the meantime. */
  async finish({ runId, completed, counts, error }: FinishedRun): Promise<void> {
    await this.source.query(
      `update job_runs set outcome = $2, finished_at = greatest(started_at, clock_timestamp()), completed = $3, counts = $4, error = $5
        where run_id = $1 and outcome = 'running'`,
      [
        runId,
        error === null ? 'succeeded' : 'failed',
        completed,
        JSON.stringify(counts),
        error?.slice(0, ERROR_CHARACTERS_MAX) ?? null,
      ],
    );
  }

  private async isNone(transaction: Transaction, sql: string, parameters: unknown[]): Promise<boolean> {
    const [row] = await transaction.query<{ none: boolean }[]>(sql, parameters);
    return row?.none === true;
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

// Runs that are recorded days in the future are ignored, so that a clock that was wrong once cannot block all later runs.
const NO_LATER_DUE = `
  select not exists (select from job_runs
                      where job = $1 and due_at between $2 and $2::timestamptz + interval '1 day') as none`;
const NO_COMPLETED = `
  select not exists (select from job_runs
                      where job = $1 and completed and started_at >= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
                        and started_at < clock_timestamp() + interval '2 days') as none`;
