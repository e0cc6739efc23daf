import type { LimitTerms } from './limit.js';
import { type LimitMeasure, type LimitPeriod, ZONED_PERIODS } from './limit-terms.data.js';

export interface TermsProblem {
  /** As in the Admin API. */
  readonly param: string;
  /** Completes "it must be …". */
  readonly expected: string;
}

const WEIGHTED: readonly LimitMeasure[] = ['tokens', 'input_tokens'];
const CARRYING: readonly LimitPeriod[] = ['minute', 'hour', 'day', 'week', 'month'];

/** Checks rules over several fields of a limit. Returns the first violation, or null. */
export function termsProblem(terms: LimitTerms): TermsProblem | null {
  const { measure, period, zone, weights, carryOver, startsAt, endsAt } = terms;
  if (zone !== 'UTC' && !ZONED_PERIODS.includes(period))
    return { param: 'time_zone', expected: "'UTC', because only days, weeks and months depend on a time zone" };
  if (weights !== null && !WEIGHTED.includes(measure))
    return { param: 'weights', expected: "null, unless 'measure' is 'tokens' or 'input_tokens'" };
  if (carryOver !== null && (measure === 'concurrent_requests' || !CARRYING.includes(period)))
    return { param: 'carry_over', expected: "null, unless 'period' is a minute, hour, day, week or month" };
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    return { param: 'ends_at', expected: "a time after 'starts_at'" };
  return null;
}
