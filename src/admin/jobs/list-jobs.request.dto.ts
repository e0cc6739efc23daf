import { JOB_NAMES, type JobName } from '../../scheduler/job.js';
import { QueryEnum } from '../../validation/query-fields.js';
import { PageRequest } from '../page/page.request.dto.js';

export class ListJobsRequest extends PageRequest {
  @QueryEnum(JOB_NAMES)
  job?: JobName;
}
