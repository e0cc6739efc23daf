import { listedProviders } from '../../costs/price-terms.js';
import { parseHours } from '../../costs/pricing/price-row.js';
import { USAGE_KIND_NAMES } from '../../costs/usage-kinds.data.js';
import { invalidType, invalidValue } from '../../platform/errors/error-factories.js';
import { isAbsent, isObject } from '../../platform/validation/check.js';
import type { InputCheck } from '../../platform/validation/input-metadata.js';
import { listNames } from '../../platform/validation/scalar-kinds.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { dollarsProblem } from '../dollars.rules.js';
import { isUsageKind, kindSuggestion } from './usage-kind-suggestion.rules.js';

/** The values outside the body that its rules need. */
export interface PriceContext {
  readonly upstreams: readonly string[];
  readonly nowMs: number;
}

/** The largest price that is exact in nano-dollars. No short pattern can express it. */
export const PRICE_MAX = '9007199.25474';
export const PRICE_SCHEMA = { type: 'string' as const, pattern: '^(0|[1-9]\\d{0,6})(\\.\\d{1,6})?$' };

/** Dollars per million units, by kind. */
export const PRICES_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(USAGE_KIND_NAMES.map((kind) => [kind, PRICE_SCHEMA])),
  example: { input: '2.50', cached_input: '1.25', output: '10' },
  description:
    'Dollars per million units: tokens, characters, images, searches and other calls. `audio_seconds`: dollars per 1,000 hours. ' +
    '`megabytes` prices uploads whose duration is unknown. ' +
    `The maximum is ${PRICE_MAX}.`,
} as const;

const PRICE_RANGE = { min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER), maxText: PRICE_MAX };

export const price: InputCheck = (value, { param }) => dollarsProblem(value, param, PRICE_RANGE);

export const prices: InputCheck = (value, place) => {
  const { param } = place;
  if (!isObject(value)) return invalidType(param, 'an object');
  for (const name of Object.keys(value)) {
    if (!isUsageKind(name))
      return invalidValue(param, `an object of known kinds. '${name}' is unknown: ${kindSuggestion(name)}`);
    const problem = dollarsProblem(value[name], `${param}.${name}`, PRICE_RANGE);
    if (problem !== null) return problem;
  }
  return null;
};

const isEmpty = (value: unknown): boolean => isAbsent(value) || Object.keys(value).length === 0;

export const aboveTheLastTier: InputCheck = (value, { param, before }) => {
  const last = (before?.['above'] as number | undefined) ?? 0;
  if (Number.isSafeInteger(value) && (value as number) > last) return null;
  return invalidValue(param, `an integer above ${last}: tiers are in ascending order of input tokens`);
};

export const atLeastOneKind: InputCheck = (value, { param }) =>
  isEmpty(value) ? invalidValue(param, 'an object with at least one kind') : null;

export const eitherTierOrRegion: InputCheck = (_multiplier, { param, input }) =>
  isAbsent(input['service_tier']) === isAbsent(input['region'])
    ? invalidValue(
        param.replace(/\[\d+\]\.multiplier$/, ''),
        `a list of objects with either 'service_tier' or 'region'`,
      )
    : null;

export const knownUpstream: InputCheck = (value, { param, context }) => {
  const { upstreams } = context as PriceContext;
  if (value === '*' || upstreams.includes(value as string)) return null;
  return invalidValue(param, `'*' for all upstreams, or ${listNames(upstreams)}`);
};

export const afterItsBeginning: InputCheck = (validTo, { param, input, context }) => {
  const from = input['valid_from'] ?? new Date((context as PriceContext).nowMs).toISOString();
  const fromMs = typeof from === 'string' ? parseTimestamp(from) : null;
  // An invalid beginning has its own violation.
  if (fromMs === null || parseTimestamp(validTo as string)! > fromMs) return null;
  return invalidValue(param, `a time after 'valid_from'`);
};

export const hoursOfTheDay: InputCheck = (value, { param }) =>
  parseHours(value as string) === null
    ? invalidValue(param, 'two different times of the day in UTC, such as "16:30-00:30"')
    : null;

/** Prices are stated either by a list, or by the price itself. */
export const onlySourceOfPrices: InputCheck = (list, { param, input }) => {
  const path = param.slice(0, -'list'.length);
  if (isAbsent(list))
    return isEmpty(input['prices']) && isAbsentOrEmptyList(input['images'])
      ? invalidValue(`${path}prices`, `an object with at least one kind, unless 'images' or 'list' states the prices`)
      : null;
  const other = ['prices', 'tiers', 'images', 'factors'].find((name) => !isAbsent(input[name]));
  if (other !== undefined) return invalidValue(path + other, `absent, because 'list' states the prices`);
  const names = listedProviders();
  return names.includes(list as string) ? null : invalidValue(param, listNames(names));
};

const isAbsentOrEmptyList = (value: unknown): boolean =>
  isAbsent(value) || (Array.isArray(value) && value.length === 0);
