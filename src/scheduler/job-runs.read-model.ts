import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { JobName, ListedRun } from './job.js';

export interface JobRunPage {
  /** Of all runs that are kept. */
  readonly total: number;
  readonly runs: ListedRun[];
}

/** Runs as they are listed (D17). */
@Injectable()
export class JobRuns {
  constructor(private readonly source: DataSource) {}

  /** The newest first. */
  async list({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<JobRunPage> {
    const [count] = await this.source.query<{ total: number }[]>('select count(*)::int as total from job_runs');
    const runs = await this.source.query<ListedRun[]>(
      `select run_id as "runId", job, started_at as "startedAt", finished_at as "finishedAt", outcome, counts
         from job_runs order by started_at desc, run_id desc limit $1 offset $2`,
      [limit, offset],
    );
    return { total: count?.total ?? 0, runs };
  }

  /** When a run of each job last succeeded, in whichever process; jobs of which none has are left out. */
  lastSuccesses(): Promise<{ job: JobName; at: Date }[]> {
    return this.source.query(
      `select job, max(finished_at) as at from job_runs where outcome = 'succeeded' group by job order by job`,
    );
  }
}
