import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../platform/database/page.js';
import type { JobName, ListedRun } from './job.js';

interface JobRunQuery extends Page {
  readonly job?: JobName;
}

export interface JobRunPage {
  readonly total: number;
  readonly runs: ListedRun[];
}

@Injectable()
export class JobRuns {
  constructor(private readonly source: DataSource) {}

  async list({ limit, offset, job }: JobRunQuery): Promise<JobRunPage> {
    const [count] = await this.source.query<{ total: number }[]>(
      'select count(*)::int as total from job_runs where $1::text is null or job = $1',
      [job],
    );
    const runs = await this.source.query<ListedRun[]>(
      `select run_id as "runId", job, started_at as "startedAt", finished_at as "finishedAt", outcome, counts
         from job_runs where $3::text is null or job = $3 order by started_at desc, run_id desc limit $1 offset $2`,
      [limit, offset, job],
    );
    return { total: count?.total ?? 0, runs };
  }

  /** Covers all processes. Jobs that never succeeded are omitted. */
  lastSuccesses(): Promise<{ job: JobName; at: Date }[]> {
    return this.source.query(
      `select job, max(finished_at) as at from job_runs where outcome = 'succeeded' group by job order by job`,
    );
  }
}
