import type { Days } from '../../costs/days.rules.js';
import type { KeyUsageQuery } from '../../stats/reports/usage.read-model.js';
import { dateAt, usageRange } from '../../stats/reports/usage-range.rules.js';
import { Compared } from '../../validation/input.decorators.js';
import { QueryInteger, QueryTimestamp, QueryUuid } from '../../validation/query-fields.js';

class DaysRequest {
  /** Usage is counted per day, so two times on the same day are valid in any order. */
  @Compared<Required<DaysRequest>>(
    ({ from, to }) => typeof to !== 'number' || dateAt(from) <= dateAt(to),
    `a day that is not after 'to'`,
  )
  @QueryTimestamp({ description: 'First day (UTC), as a date or a time on that day.' })
  from?: number;

  @QueryTimestamp({ description: 'Last day (UTC), as a date or a time on that day. The whole day is included.' })
  to?: number;
}

export class UsageRequest extends DaysRequest {
  @QueryUuid('Only usage of this key.')
  key_id?: string;
}

export class KeyUsageRequest extends DaysRequest {
  @QueryInteger({ min: 1, max: 365, byDefault: 30 })
  daily_limit: number;

  @QueryInteger({ min: 1, max: 24, byDefault: 12 })
  monthly_limit: number;
}

export const usageRangeOf = ({ from, to }: UsageRequest, nowMs: number): Days => usageRange(from, to, nowMs);

/** Without `from` and `to` the range is unbounded. The two limits bound the response. */
export function keyUsageQueryOf({ from, to, daily_limit, monthly_limit }: KeyUsageRequest): KeyUsageQuery {
  return {
    from: from === undefined ? '0001-01-01' : dateAt(from),
    to: to === undefined ? '9999-12-31' : dateAt(to),
    days: daily_limit,
    months: monthly_limit,
  };
}
