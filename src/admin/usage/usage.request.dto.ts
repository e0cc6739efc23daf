import type { KeyUsageQuery } from '../../stats/reports/usage.read-model.js';
import { dateAt, usageRange, type DayRange } from '../../stats/reports/usage-range.rules.js';
import { Compared } from '../../validation/input.decorators.js';
import { QueryInteger, QueryTimestamp, QueryUuid } from '../../validation/query-fields.js';

class DaysRequest {
  /** Usage is counted by the day: two times of one day are in order either way. */
  @Compared<Required<DaysRequest>>(
    ({ from, to }) => typeof to !== 'number' || dateAt(from) <= dateAt(to),
    `a day that is not after 'to'`,
  )
  @QueryTimestamp({ description: 'First day (UTC), as a date or any time on it.' })
  from?: number;

  @QueryTimestamp({ description: 'Last day (UTC), as a date or any time on it: the whole day counts.' })
  to?: number;
}

export class UsageRequest extends DaysRequest {
  @QueryUuid('Usage of one key.')
  key_id?: string;
}

export class KeyUsageRequest extends DaysRequest {
  @QueryInteger({ min: 1, max: 365, byDefault: 30 })
  daily_limit: number;

  @QueryInteger({ min: 1, max: 24, byDefault: 12 })
  monthly_limit: number;
}

export const usageRangeOf = ({ from, to }: UsageRequest, nowMs: number): DayRange => usageRange(from, to, nowMs);

/** Bounded by its limits: without days it is all that is kept. */
export function keyUsageQueryOf({ from, to, daily_limit, monthly_limit }: KeyUsageRequest): KeyUsageQuery {
  return {
    from: from === undefined ? '0001-01-01' : dateAt(from),
    to: to === undefined ? '9999-12-31' : dateAt(to),
    days: daily_limit,
    months: monthly_limit,
  };
}
