import { COUNTED_MAX } from '../../database/month-partitions.js';
import { QueryInteger } from '../../validation/query-fields.js';

const PageLimit = (): PropertyDecorator => QueryInteger({ min: 1, max: 500, byDefault: 100 });

/** Which rows of a list are asked for (D17). */
export class PageRequest {
  @PageLimit()
  limit: number;

  @QueryInteger({ min: 0, max: 2_147_483_647, byDefault: 0 })
  offset: number;
}

/** The same of a list over a log, whose pages reach as far as its total is exact. */
export class LogPageRequest {
  @PageLimit()
  limit: number;

  @QueryInteger({ min: 0, max: COUNTED_MAX, byDefault: 0 })
  offset: number;
}
