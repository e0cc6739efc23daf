import type { CacheWeights, LimitSettings, LimitTerms } from '../../quota/limits/limit.js';
import {
  COUNT_MAX,
  DOLLARS_MAX,
  LIMIT_MEASURES,
  LIMIT_MODES,
  LIMIT_PERIODS,
  LIMIT_RESERVES,
  LIMIT_SCOPES,
  NANOS_MAX,
  type LimitMeasure,
  type LimitPeriod,
} from '../../quota/limits/limit-terms.data.js';
import { invalidInput, missingRequiredParameter, validationError } from '../../platform/errors/error-factories.js';
import { shownTerms } from '../../quota/limits/shown-limit.rules.js';
import type { GivenTopUp } from '../../quota/limits/top-ups.service.js';
import { TAG, TAG_EXPECTED } from '../../keys/teams/tag.rules.js';
import type { JsonObject } from '../../platform/validation/check.js';
import { UUID } from '../../platform/validation/characters.js';
import { listNames } from '../../platform/validation/scalar-kinds.js';
import { parseTimestamp, TIMESTAMP_EXPECTED } from '../../platform/validation/timestamp.js';
import { readArray, readDollars, readLine, readObject, readText, wrongType } from '../nested-input.rules.js';

export const NAME_CHARACTERS_MAX = 255;
export const NOTE_CHARACTERS_MAX = 500;
export const PATTERNS_MAX = 100;
export const PATTERN_CHARACTERS_MAX = 200;
export const THRESHOLDS_MAX = 10;
export const THRESHOLD_MAX = 1000;
export const WEIGHT_MAX = 100;
export const ZONE_CHARACTERS_MAX = 64;
export const DEFAULT_THRESHOLDS: readonly number[] = [50, 80, 100];

/** These cannot change, because the figures of a limit depend on them. */
const FIXED = ['scope', 'team_id', 'key_id', 'tag', 'measure', 'period', 'time_zone'] as const;
const SETTINGS = [
  'name',
  'models',
  'amount',
  'mode',
  'reserve',
  'weights',
  'starts_at',
  'ends_at',
  'enabled',
  'alert_thresholds',
  'carry_over',
] as const;
const LIMIT_FIELDS: readonly string[] = [...FIXED, ...SETTINGS];

/**
 * Reads the terms of a new limit. Rules over several fields follow in `LimitsService`.
 * @param also further fields that the body can have
 * @throws GatewayError `validation_error`
 */
export function readLimit(value: unknown, also: readonly string[] = []): LimitTerms {
  const given = readObject(value, '', [...LIMIT_FIELDS, ...also]);
  const scope = readName(given, 'scope', LIMIT_SCOPES);
  const target = readTarget(given, scope);
  const measure = readName(given, 'measure', LIMIT_MEASURES);
  const period = readPeriod(given, measure);
  const { time_zone: zone = 'UTC' } = given;
  const { amount, ...settings } = readSettings(given, measure);
  if (amount === undefined) throw missing('amount');
  return {
    scope,
    ...target,
    measure,
    period,
    amount,
    zone: readText(zone, 'time_zone', ZONE_CHARACTERS_MAX),
    name: null,
    models: null,
    mode: 'enforce',
    reserve: 'typical',
    weights: null,
    startsAt: null,
    endsAt: null,
    enabled: true,
    thresholds: isConcurrent(measure) ? [] : DEFAULT_THRESHOLDS,
    carryOver: null,
    ...presentOnly(settings),
  };
}

/**
 * Reads the body of a change. It can repeat fixed fields with their present values, because some tools send the whole object.
 * @returns a reader of the settings, which depend on the measure of the limit
 */
export function readLimitChanges(value: unknown): (limit: LimitTerms) => Partial<LimitSettings> {
  const given = readObject(value, '', LIMIT_FIELDS);
  return (limit) => {
    const present: JsonObject = shownTerms(limit);
    const changed = FIXED.find((name) => !isPresentValue(name, given[name], present[name]));
    if (changed !== undefined)
      throw validationError(
        changed,
        `The field '${changed}' of a limit cannot change. Create another limit, and delete this one.`,
      );
    return presentOnly(readSettings(given, limit.measure));
  };
}

/** Whether a fixed field is absent, or has a spelling of its present value that a new limit accepts. */
function isPresentValue(name: (typeof FIXED)[number], given: unknown, present: unknown): boolean {
  if (given === undefined || given === present) return true;
  const ignoresCase = name === 'team_id' || name === 'key_id' || name === 'time_zone';
  return ignoresCase && typeof given === 'string' && given.toLowerCase() === String(present).toLowerCase();
}

/** @returns a reader that depends on the measure of the limit. @throws GatewayError `validation_error` */
export function readTopUp(value: unknown): (limit: Pick<LimitTerms, 'measure'>) => GivenTopUp {
  const { amount, expires_at: expiresAt, note } = readObject(value, '', ['amount', 'expires_at', 'note']);
  return ({ measure }) => ({
    amount: readLimitAmount(amount, 'amount', measure, 1),
    expiresAt: expiresAt === undefined || expiresAt === null ? expiresAt : readTime(expiresAt, 'expires_at'),
    note: note === undefined || note === null ? null : readText(note, 'note', NOTE_CHARACTERS_MAX),
  });
}

/** Reads an amount in the unit of a measure: dollars as a string for costs, otherwise an integer. */
function readLimitAmount(value: unknown, param: string, measure: LimitMeasure, min: 0 | 1): bigint {
  if (value === undefined) throw missing(param);
  if (measure === 'cost') {
    const nanos = readDollars(value, param, { max: NANOS_MAX, maxText: DOLLARS_MAX });
    if (nanos < min) throw invalidInput(param, 'more than 0');
    return nanos;
  }
  if (typeof value !== 'number') throw wrongType(param, 'an integer');
  if (!Number.isInteger(value) || value < min || value > COUNT_MAX)
    throw invalidInput(param, `an integer from ${min} to ${COUNT_MAX}`);
  return BigInt(value);
}

export function readTime(value: unknown, param: string): Date {
  const ms = typeof value === 'string' ? parseTimestamp(value) : null;
  if (ms === null) throw invalidInput(param, TIMESTAMP_EXPECTED);
  return new Date(ms);
}

const isConcurrent = (measure: LimitMeasure): boolean => measure === 'concurrent_requests';
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
const missing = (param: string) => validationError(param, missingRequiredParameter(param).message);

function readName<const N extends string>(given: JsonObject, param: string, names: readonly N[]): N {
  const value = given[param];
  if (value === undefined) throw missing(param);
  const name = names.find((known) => known === value);
  if (name === undefined) throw invalidInput(param, listNames(names));
  return name;
}

function readTarget(given: JsonObject, scope: LimitTerms['scope']): Pick<LimitTerms, 'scopeId' | 'scopeTag'> {
  const fields = { team: 'team_id', key: 'key_id', tag: 'tag' } as const;
  for (const [owner, field] of Object.entries(fields))
    if (owner !== scope && !isAbsent(given[field])) throw invalidInput(field, `absent, because 'scope' is '${scope}'`);
  if (scope === 'account') return { scopeId: null, scopeTag: null };
  const param = fields[scope];
  const value = given[param];
  if (isAbsent(value)) throw missing(param);
  if (scope === 'tag') {
    if (typeof value !== 'string' || !TAG.test(value)) throw invalidInput(param, TAG_EXPECTED);
    return { scopeId: null, scopeTag: value };
  }
  if (typeof value !== 'string' || !UUID.test(value))
    throw invalidInput(param, `the ID of ${scope === 'team' ? 'a team' : 'an API key'}`);
  return { scopeId: value.toLowerCase(), scopeTag: null };
}

function readPeriod(given: JsonObject, measure: LimitMeasure): LimitPeriod {
  if (!isConcurrent(measure)) return readName(given, 'period', LIMIT_PERIODS);
  if (!isAbsent(given['period'])) throw invalidInput('period', 'null for concurrent requests');
  return 'total';
}

type GivenSettings = { readonly [F in keyof LimitSettings]: LimitSettings[F] | undefined };

/** Undefined: absent. */
function readSettings(given: JsonObject, measure: LimitMeasure): GivenSettings {
  const orNull = <T>(param: string, read: (value: unknown) => T): T | null | undefined => {
    const value = given[param];
    return value === undefined ? undefined : value === null ? null : read(value);
  };
  const named = <const N extends string>(param: string, names: readonly N[]): N | undefined =>
    given[param] === undefined ? undefined : readName(given, param, names);
  return {
    name: orNull('name', (value) => readLine(value, 'name', NAME_CHARACTERS_MAX)),
    models: orNull('models', readPatterns),
    amount: given['amount'] === undefined ? undefined : readLimitAmount(given['amount'], 'amount', measure, 0),
    mode: named('mode', LIMIT_MODES),
    reserve: named('reserve', LIMIT_RESERVES),
    weights: orNull('weights', readWeights),
    startsAt: orNull('starts_at', (value) => readTime(value, 'starts_at')),
    endsAt: orNull('ends_at', (value) => readTime(value, 'ends_at')),
    enabled: readFlag(given, 'enabled'),
    thresholds: readThresholds(given['alert_thresholds'], measure),
    carryOver: orNull('carry_over', (value) => readLimitAmount(value, 'carry_over', measure, 1)),
  };
}

const presentOnly = (settings: Partial<GivenSettings>): Partial<LimitSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** An empty list is rejected, because removing the last pattern would widen the limit to all models. */
function readPatterns(value: unknown): string[] {
  const patterns = readArray(value, 'models', 0, PATTERNS_MAX).map((pattern, at) =>
    readLine(pattern, `models[${at}]`, PATTERN_CHARACTERS_MAX),
  );
  if (patterns.length === 0)
    throw invalidInput('models', `an array of 1 to ${PATTERNS_MAX} patterns; use null for all models`);
  return [...new Set(patterns)];
}

function readThresholds(value: unknown, measure: LimitMeasure): number[] | undefined {
  if (value === undefined) return undefined;
  const thresholds = readArray(value, 'alert_thresholds', 0, THRESHOLDS_MAX);
  const expected = `an array of different integers from 1 to ${THRESHOLD_MAX}`;
  for (const threshold of thresholds)
    if (!Number.isInteger(threshold) || (threshold as number) < 1 || (threshold as number) > THRESHOLD_MAX)
      throw invalidInput('alert_thresholds', expected);
  if (new Set(thresholds).size < thresholds.length) throw invalidInput('alert_thresholds', expected);
  if (isConcurrent(measure) && thresholds.length > 0)
    throw invalidInput('alert_thresholds', 'empty, because limits of concurrent requests have no alerts');
  return (thresholds as number[]).toSorted((a, b) => a - b);
}

function readWeights(value: unknown): CacheWeights {
  const { cached_input = 1, cache_write = 1 } = readObject(value, 'weights.', ['cached_input', 'cache_write']);
  return {
    cachedInput: readWeight(cached_input, 'weights.cached_input'),
    cacheWrite: readWeight(cache_write, 'weights.cache_write'),
  };
}

function readWeight(value: unknown, param: string): number {
  if (typeof value !== 'number') throw wrongType(param, 'a number');
  // The shortest decimal form of a number has its decimals, except for tiny numbers in exponential form.
  if (value < 0 || value > WEIGHT_MAX || !/^\d+(\.\d{1,3})?$/.test(String(value)))
    throw invalidInput(param, `a number from 0 to ${WEIGHT_MAX} with at most 3 decimals`);
  return value;
}

function readFlag(given: JsonObject, param: string): boolean | undefined {
  const value = given[param];
  if (value !== undefined && typeof value !== 'boolean') throw wrongType(param, 'a boolean');
  return value;
}
