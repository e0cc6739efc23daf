import { Get, Post } from '@nestjs/common';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { DailyJob } from '../../scheduler/daily-job.service.js';
import { JobRuns } from '../../scheduler/job-runs.read-model.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { JobListResponse, StartedJobResponse, ListJobsRequest } from './jobs.dto.js';

@AdminController('jobs')
export class JobsController {
  constructor(
    private readonly runs: JobRuns,
    private readonly daily: DailyJob,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List job runs, newest first', type: JobListResponse })
  async list(@ValidQuery(ListJobsRequest) query: ListJobsRequest) {
    return JobListResponse.of(await this.runs.list(query), query.offset);
  }

  @Post('daily/run')
  @AdminRoute({ role: 'admin' })
  @Responds(202, { summary: 'Run the daily job now', type: StartedJobResponse })
  async run(@Actor() actor: AdminActor): Promise<StartedJobResponse> {
    return { job: 'daily', run_id: (await this.daily.run(actor)).runId };
  }
}
