import { JobListResponse, type StartedJobResponse, ListJobsRequest } from '../admin/jobs/jobs.dto.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { DailyJob } from '../scheduler/daily-job.service.js';
import { JobRuns } from '../scheduler/job-runs.read-model.js';
import type { JobCounts } from '../scheduler/job.js';
import { SchedulerModule } from '../scheduler/scheduler.module.js';
import { withApplication } from './application.js';
import { readQuery } from './input-options.js';
import { EXIT } from './cli-error.js';
import type { Invocation, Result } from './command.js';
import { JOB_OPTIONS } from './options.data.js';
import { pageText, timeText } from './text-table.js';

const HEAD = ['STARTED', 'JOB', 'OUTCOME', 'FINISHED', 'COUNTS'];

export async function listJobs(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const query = await readQuery(ListJobsRequest, input, JOB_OPTIONS);
  return withApplication(call, { module: SchedulerModule, writes: false }, async (services) => {
    const document = JobListResponse.of(await services.get(JobRuns).list(query), query.offset);
    const { total, jobs } = document;
    const rows = jobs.map(({ started_at: started, job, outcome, finished_at: finished, counts }) => {
      return [timeText(started), job, outcome, timeText(finished), countsText(counts)];
    });
    return { document, text: pageText(HEAD, rows, { offset: query.offset, total, none: 'No job has run yet.' }) };
  });
}

/** Waits for the end of the run, unlike `POST /admin/jobs/daily/run`, because the job runs in this process. */
export async function runDaily(call: Invocation): Promise<Result> {
  return withApplication(call, { module: SchedulerModule, writes: true }, async (services) => {
    const started = await services.get(DailyJob).run(SYSTEM_ACTOR);
    const document: StartedJobResponse = { job: 'daily', run_id: started.runId };
    if (!started.begun) return { document, text: `The daily job is already running (run ${started.runId}).\n` };
    const { outcome, counts } = await started.ended;
    const text = `The daily job ${outcome} (run ${started.runId}).\n${countsText(counts)}`.trimEnd() + '\n';
    return { document, text, exitCode: outcome === 'failed' ? EXIT.failed : EXIT.ok };
  });
}

const countsText = (counts: JobCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ');
