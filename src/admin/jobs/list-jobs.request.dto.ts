import { QueryInteger } from '../../validation/query-fields.js';

export class ListJobsRequest {
  @QueryInteger({ min: 1, max: 500, byDefault: 100 })
  limit: number;

  @QueryInteger({ min: 0, max: 2_147_483_647, byDefault: 0 })
  offset: number;
}
