import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../platform/database/page.js';
import type { JobName, ListedRun } from './job.js';

interface JobRunQuery extends Page {
  readonly job?: JobName;
}

export interface JobRunPage {
  readonly total: number;
  readonly runs: ListedRun[];
}

/** Reads the job runs of all processes from `job_runs`. */
@Injectable()
export class JobRuns {
  constructor(private readonly source: DataSource) {}

  async list(query: JobRunQuery): Promise<JobRunPage> {
    const { total, rows } = await readPage<ListedRun>(this.source, LIST, [query.job], query);
    return { total, runs: rows };
  }

  /** Covers all processes. Jobs that never succeeded are omitted. */
  lastSuccesses(): Promise<{ job: JobName; at: Date }[]> {
    return this.source.query(
      `select job, max(finished_at) as at from job_runs where outcome = 'succeeded' group by job order by job`,
    );
  }
}

const LIST = {
  rows: `
    select run_id as "runId", job, started_at as "startedAt", finished_at as "finishedAt", outcome, counts
      from job_runs
     where $1::text is null or job = $1
     order by started_at desc, run_id desc
     limit $2 offset $3`,
  count: 'select count(*)::int as total from job_runs where $1::text is null or job = $1',
};
