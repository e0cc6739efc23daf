import { isAbsent } from '../../platform/validation/check.js';
import { invalidType, invalidValue, missingRequiredParameter } from '../../platform/errors/error-factories.js';
import type { InputCheck, Place } from '../../platform/validation/input-metadata.js';
import {
  COUNT_MAX,
  DOLLARS_MAX,
  NANOS_MAX,
  type LimitMeasure,
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import { dollarsProblem } from '../dollars.rules.js';

export const THRESHOLD_MAX = 1000;
export const WEIGHT_MAX = 100;

/** The stored limit, from which a change takes its measure. The body of a new limit contains the measure. */
interface StoredMeasure {
  readonly measure: LimitMeasure;
}

export const measureOf = ({ input, context }: Place): unknown =>
  (context as StoredMeasure | undefined)?.measure ?? input['measure'];

export const isConcurrent = (measure: unknown): boolean => measure === 'concurrent_requests';

export const limitAmount =
  (min: 0 | 1): InputCheck =>
  (value, place) => {
    const { param } = place;
    if (value === undefined) return missingRequiredParameter(param);
    if (measureOf(place) === 'cost')
      return dollarsProblem(value, param, { min: BigInt(min), max: NANOS_MAX, maxText: DOLLARS_MAX });
    if (typeof value !== 'number') return invalidType(param, 'an integer');
    if (Number.isInteger(value) && value >= min && value <= COUNT_MAX) return null;
    return invalidValue(param, `an integer from ${min} to ${COUNT_MAX}`);
  };

const TARGETS = { team: 'team_id', key: 'key_id', tag: 'tag' } as const;

export const hasOnlyItsTarget: InputCheck = (scope, { input }) => {
  for (const [owner, field] of Object.entries(TARGETS))
    if (owner !== scope && !isAbsent(input[field]))
      return invalidValue(field, `absent, because 'scope' is '${scope as LimitScope}'`);
  if (scope === 'account') return null;
  const needed = TARGETS[scope as keyof typeof TARGETS];
  return isAbsent(input[needed]) ? missingRequiredParameter(needed) : null;
};

export const absentIfConcurrent: InputCheck = (value, { param, input }) =>
  isConcurrent(input['measure']) && !isAbsent(value) ? invalidValue(param, 'null for concurrent requests') : null;

export const cacheWeight: InputCheck = (value, { param }) => {
  if (typeof value !== 'number') return invalidType(param, 'a number');
  // JavaScript writes numbers below 0.000001 in exponential form, which the pattern rejects.
  const isValid = value >= 0 && value <= WEIGHT_MAX && /^\d+(\.\d{1,3})?$/.test(String(value));
  return isValid ? null : invalidValue(param, `a number from 0 to ${WEIGHT_MAX} with at most 3 decimals`);
};

export const thresholds: InputCheck = (value, place) => {
  const all = value as readonly unknown[];
  const isThreshold = (one: unknown) =>
    Number.isInteger(one) && (one as number) >= 1 && (one as number) <= THRESHOLD_MAX;
  if (!all.every(isThreshold) || new Set(all).size < all.length)
    return invalidValue(place.param, `an array of different integers from 1 to ${THRESHOLD_MAX}`);
  if (isConcurrent(measureOf(place)) && all.length > 0)
    return invalidValue(place.param, 'empty, because limits of concurrent requests have no alerts');
  return null;
};
