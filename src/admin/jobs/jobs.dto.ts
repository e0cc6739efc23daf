import { ApiProperty } from '@nestjs/swagger';
import { JOB_NAMES, type JobCounts, type JobName, type JobOutcome, type ListedRun } from '../../scheduler/job.js';
import type { JobRunPage } from '../../scheduler/job-runs.read-model.js';
import { QueryEnum } from '../../platform/validation/query-fields.js';
import { Page, PageRequest, pageOf } from '../page.dto.js';
import { TIME } from '../fields.data.js';

export class ListJobsRequest extends PageRequest {
  @QueryEnum(JOB_NAMES)
  job?: JobName;
}

const RUN_ID = { format: 'uuid', example: '6f0c2f5e-3d1b-4a47-9d6b-0f5f4a9c1e21' } as const;

class JobRunResponse {
  @ApiProperty(RUN_ID)
  run_id: string;

  @ApiProperty({ enum: JOB_NAMES, description: '`daily`: the daily job. `probes`: the probes of `GW_PROBE_CRON`.' })
  job: JobName;

  @ApiProperty({ ...TIME, example: '2026-07-14T03:00:00.012Z' })
  started_at: Date;

  @ApiProperty({
    ...TIME,
    nullable: true,
    example: '2026-07-14T03:00:01.480Z',
    description: 'Null while the run is in progress. If its process died, the time when the gateway noticed that.',
  })
  finished_at: Date | null;

  @ApiProperty({ enum: ['running', 'succeeded', 'failed'], description: '`failed`: the run is incomplete.' })
  outcome: JobOutcome;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { keys_looked_at: 812, key_expired: 1, request_logs_deleted: 8640 },
    description: 'Results of the run by name. Empty while it is in progress.',
  })
  counts: JobCounts;

  static of({ runId, job, startedAt, finishedAt, outcome, counts }: ListedRun): JobRunResponse {
    return { run_id: runId, job, started_at: startedAt, finished_at: finishedAt, outcome, counts };
  }
}

export class JobListResponse extends Page {
  @ApiProperty({ type: [JobRunResponse] })
  jobs: JobRunResponse[];

  static of({ total, runs }: JobRunPage, offset: number): JobListResponse {
    return { ...pageOf(total, offset, runs.length), jobs: runs.map((run) => JobRunResponse.of(run)) };
  }
}

export class StartedJobResponse {
  @ApiProperty({ enum: ['daily'] })
  job: 'daily';

  @ApiProperty({
    ...RUN_ID,
    description: 'The run that this request started, or the run that was already in progress.',
  })
  run_id: string;
}
