import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsArray, ArrayMaxSize, ArrayMinSize, IsBoolean, IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import { TAG, TAG_EXPECTED } from '../../keys/teams/tag.rules.js';
import { invalidType, invalidValue, missingRequiredParameter } from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { LINE, lineExpected, UUID } from '../../platform/validation/characters.js';
import {
  AFTER_FIELDS,
  ApiField,
  CanBeAbsent,
  CheckedBy,
  IsNested,
  IsStoredText,
  IsTimestamp,
} from '../../platform/validation/input.decorators.js';
import type { InputCheck, Place } from '../../platform/validation/input-metadata.js';
import { QueryEnum, QueryUuid } from '../../platform/validation/query-fields.js';
import { Rules } from '../../platform/validation/body-rules.js';
import { listNames } from '../../platform/validation/scalar-kinds.js';
import { TIMESTAMP_EXPECTED } from '../../platform/validation/timestamp.js';
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
  type LimitMode,
  type LimitPeriod,
  type LimitReserve,
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import { LIMIT_SORTS, type LimitFilter, type LimitSort } from '../../quota/limits/limit-list.read-model.js';
import { dollarsProblem } from '../dollars.rules.js';
import { PageRequest } from '../page.dto.js';
import { QueryTag } from '../teams/tags.decorators.js';
import { INPUT_AMOUNT } from './limit-schemas.data.js';
import { QueryFormat, type DownloadFormat } from '../csv-download.js';

const NAME_CHARACTERS_MAX = 255;
const NOTE_CHARACTERS_MAX = 500;
const PATTERNS_MAX = 100;
const PATTERN_CHARACTERS_MAX = 200;
const THRESHOLDS_MAX = 10;
const THRESHOLD_MAX = 1000;
const WEIGHT_MAX = 100;
const ZONE_CHARACTERS_MAX = 64;
export const DEFAULT_THRESHOLDS: readonly number[] = [50, 80, 100];

const TIME_EXAMPLE = '2026-08-01T00:00:00.000Z';
const TIME = { message: TIMESTAMP_EXPECTED };

export class ListLimitsRequest extends PageRequest {
  @QueryEnum(LIMIT_SCOPES)
  scope?: LimitScope;

  @QueryUuid('Only limits of this team.')
  team_id?: string;

  @QueryUuid('Only limits of this key.')
  key_id?: string;

  @QueryTag('Only limits of this tag.')
  tag?: string;

  @QueryEnum(LIMIT_MEASURES)
  measure?: LimitMeasure;

  @QueryEnum(LIMIT_MODES)
  mode?: LimitMode;

  @QueryUuid('All limits under which this key falls: its own, and those of its tags, its team and the account.')
  applies_to_key?: string;

  @QueryEnum(LIMIT_SORTS, {
    byDefault: 'created',
    description:
      '`created`: newest first. `used`: by the share of the amount. `runs_out`: reached limits, then by the forecast, earliest first.',
  })
  sort: LimitSort;

  @QueryFormat('CSV has all limits, regardless of `limit` and `offset`.')
  format: DownloadFormat;
}

export const limitFilterOf = (query: ListLimitsRequest): LimitFilter => ({
  scope: query.scope ?? null,
  teamId: query.team_id ?? null,
  keyId: query.key_id ?? null,
  tag: query.tag ?? null,
  measure: query.measure ?? null,
  mode: query.mode ?? null,
  appliesToKey: query.applies_to_key ?? null,
});

/** The stored limit, from which a change takes its measure. The body of a new limit contains the measure. */
interface StoredMeasure {
  readonly measure: LimitMeasure;
}

const measureOf = ({ input, context }: Place): unknown =>
  (context as StoredMeasure | undefined)?.measure ?? input['measure'];

const isConcurrent = (measure: unknown): boolean => measure === 'concurrent_requests';
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const limitAmount =
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

const hasOnlyItsTarget: InputCheck = (scope, { input }) => {
  for (const [owner, field] of Object.entries(TARGETS))
    if (owner !== scope && !isAbsent(input[field]))
      return invalidValue(field, `absent, because 'scope' is '${scope as LimitScope}'`);
  if (scope === 'account') return null;
  const needed = TARGETS[scope as keyof typeof TARGETS];
  return isAbsent(input[needed]) ? missingRequiredParameter(needed) : null;
};

const absentIfConcurrent: InputCheck = (value, { param, input }) =>
  isConcurrent(input['measure']) && !isAbsent(value) ? invalidValue(param, 'null for concurrent requests') : null;

const cacheWeight: InputCheck = (value, { param }) => {
  if (typeof value !== 'number') return invalidType(param, 'a number');
  // JavaScript writes numbers below 0.000001 in exponential form, which the pattern rejects.
  const isValid = value >= 0 && value <= WEIGHT_MAX && /^\d+(\.\d{1,3})?$/.test(String(value));
  return isValid ? null : invalidValue(param, `a number from 0 to ${WEIGHT_MAX} with at most 3 decimals`);
};

const thresholds: InputCheck = (value, place) => {
  const all = value as readonly unknown[];
  const isThreshold = (one: unknown) =>
    Number.isInteger(one) && (one as number) >= 1 && (one as number) <= THRESHOLD_MAX;
  if (!all.every(isThreshold) || new Set(all).size < all.length)
    return invalidValue(place.param, `an array of different integers from 1 to ${THRESHOLD_MAX}`);
  if (isConcurrent(measureOf(place)) && all.length > 0)
    return invalidValue(place.param, 'empty, because limits of concurrent requests have no alerts');
  return null;
};

const PATTERNS_EXPECTED = `an array of 1 to ${PATTERNS_MAX} patterns; use null for all models`;

const LIMIT_AMOUNT = {
  example: '250.00',
  description: `For \`cost\` dollars as a string with at most 6 decimals, up to ${DOLLARS_MAX}. Otherwise an integer up to ${COUNT_MAX}. 0 refuses everything.`,
};

class CacheWeightsRequest {
  @ApiField({ default: 1, example: 0.1 })
  @CheckedBy(cacheWeight, { type: 'number', minimum: 0, maximum: WEIGHT_MAX })
  @CanBeAbsent()
  cached_input?: number;

  @ApiField({ default: 1, example: 1.25 })
  @CheckedBy(cacheWeight, { type: 'number', minimum: 0, maximum: WEIGHT_MAX })
  @CanBeAbsent()
  cache_write?: number;
}

export class UpdateLimitRequest {
  @ApiField({ example: 'Monthly budget', description: 'Refused requests name it.' })
  @Matches(LINE, { message: lineExpected(NAME_CHARACTERS_MAX) })
  @IsStoredText(NAME_CHARACTERS_MAX)
  @IsOptional()
  name?: string | null;

  // An empty list is rejected, because removing the last pattern would widen the limit to all models.
  @ApiField({
    example: ['gpt-4o*'],
    description: `Models that count: IDs, or patterns with \`*\`, each of at most ${PATTERN_CHARACTERS_MAX} characters. Null counts all models.`,
  })
  @ArrayMinSize(1, { message: PATTERNS_EXPECTED })
  @Matches(LINE, { each: true, message: lineExpected(PATTERN_CHARACTERS_MAX) })
  @IsStoredText(PATTERN_CHARACTERS_MAX, { each: true })
  @ArrayMaxSize(PATTERNS_MAX, { message: PATTERNS_EXPECTED })
  @IsArray()
  @IsOptional()
  models?: string[] | null;

  @ApiField(LIMIT_AMOUNT)
  @CheckedBy(limitAmount(0), INPUT_AMOUNT)
  @CanBeAbsent()
  amount?: string | number;

  @ApiField({ default: 'enforce', description: '`observe`: only count and alert.' })
  @IsIn(LIMIT_MODES, { message: listNames(LIMIT_MODES) })
  @CanBeAbsent()
  mode?: LimitMode;

  @ApiField({
    default: 'typical',
    description:
      'The reservation of a request before its usage is known. `full`: the most that it can use. `typical`: what is likely. Usage can then reach twice the limit. `none`: nothing. Usage then has no bound.',
  })
  @IsIn(LIMIT_RESERVES, { message: listNames(LIMIT_RESERVES) })
  @CanBeAbsent()
  reserve?: LimitReserve;

  @ApiField({
    description: 'Weights of cache tokens. Only for `tokens` and `input_tokens`. Null sets all weights to 1.',
  })
  @IsNested(CacheWeightsRequest)
  @IsOptional()
  weights?: CacheWeightsRequest | null;

  @ApiField({
    example: TIME_EXAMPLE,
    description: 'The limit counts nothing before this time. Null starts it immediately.',
  })
  @IsTimestamp(TIME)
  @IsOptional()
  starts_at?: string | null;

  @ApiField({
    example: TIME_EXAMPLE,
    description: 'The limit counts nothing from this time on. Null means that the limit does not end.',
  })
  @IsTimestamp(TIME)
  @IsOptional()
  ends_at?: string | null;

  @ApiField({ default: true })
  @IsBoolean({ message: 'a boolean' })
  @CanBeAbsent()
  enabled?: boolean;

  @ApiField({
    default: [...DEFAULT_THRESHOLDS],
    description: 'Percentages of the amount. Each one creates an event once per period. Empty: no alerts.',
  })
  @CheckedBy(thresholds, { items: { type: 'integer', minimum: 1, maximum: THRESHOLD_MAX }, uniqueItems: true })
  @ArrayMaxSize(THRESHOLDS_MAX, { message: `an array of 0 to ${THRESHOLDS_MAX} entries` })
  @IsArray()
  @CanBeAbsent()
  alert_thresholds?: number[];

  @ApiField({
    example: null,
    description:
      'The maximum unused amount that is carried over to the next period, with the values of `amount` except 0. Null carries nothing over.',
  })
  @CheckedBy(limitAmount(1), INPUT_AMOUNT)
  @IsOptional()
  carry_over?: string | number | null;
}

const hasAmount = ({ amount }: CreateLimitRequest): GatewayError | null =>
  amount === undefined ? missingRequiredParameter('amount') : null;

@Rules(hasAmount)
export class CreateLimitRequest extends UpdateLimitRequest {
  @ApiField({ example: 'team', description: 'Whose requests the limit counts.' })
  @CheckedBy(hasOnlyItsTarget)
  @IsIn(LIMIT_SCOPES, { message: listNames(LIMIT_SCOPES) })
  scope: LimitScope;

  @ApiField({ description: 'Required with `scope` `team`.' })
  @Matches(UUID, { message: 'the ID of a team' })
  @IsOptional()
  team_id?: string | null;

  @ApiField({ description: 'Required with `scope` `key`.' })
  @Matches(UUID, { message: 'the ID of an API key' })
  @IsOptional()
  key_id?: string | null;

  @ApiField({
    example: null,
    description: 'Required with `scope` `tag`. The limit counts all keys with the tag, and all keys whose team has it.',
  })
  @Matches(TAG, { message: TAG_EXPECTED })
  @IsOptional()
  tag?: string | null;

  @ApiField({ example: 'cost' })
  @IsIn(LIMIT_MEASURES, { message: listNames(LIMIT_MEASURES) })
  measure: LimitMeasure;

  @ApiField({
    required: false,
    nullable: true,
    example: 'month',
    description: 'Required, except for `concurrent_requests`, which have none.',
  })
  @IsIn(LIMIT_PERIODS, { message: listNames(LIMIT_PERIODS) })
  @CheckedBy(absentIfConcurrent)
  @ValidateIf(({ measure, period }: CreateLimitRequest) => !isConcurrent(measure) || !isAbsent(period))
  period?: LimitPeriod | null;

  @ApiField({
    default: 'UTC',
    example: 'Europe/Berlin',
    description: 'IANA time zone in which days, weeks and months begin. Weeks begin on Monday.',
  })
  @IsStoredText(ZONE_CHARACTERS_MAX, AFTER_FIELDS)
  @CanBeAbsent()
  time_zone?: string;

  @ApiProperty({ ...INPUT_AMOUNT, ...LIMIT_AMOUNT, selfRequired: true })
  override amount: string | number;
}

class SimulatedDaysRequest {
  @ApiField({
    example: TIME_EXAMPLE,
    description: 'First day (UTC), as a date or a time on it. The default is 29 days before `until`.',
  })
  @IsTimestamp({ ...TIME, ...AFTER_FIELDS })
  @CanBeAbsent()
  since?: string;

  @ApiField({ example: TIME_EXAMPLE, description: 'Last day (UTC), which is included. The default is today.' })
  @IsTimestamp({ ...TIME, ...AFTER_FIELDS })
  @CanBeAbsent()
  until?: string;
}

export class SimulateLimitRequest extends IntersectionType(CreateLimitRequest, SimulatedDaysRequest) {}

export class CreateTopUpRequest {
  @ApiField({
    example: '50.00',
    description: 'It raises the amount of the limit while it is active. The same values are valid, except 0.',
  })
  @CheckedBy(limitAmount(1), INPUT_AMOUNT)
  amount: string | number;

  @ApiField({
    example: TIME_EXAMPLE,
    description:
      'The default is the end of the current period. For a rolling period, it is when all usage so far has expired. Null, the default for `total`, means that the top-up does not expire.',
  })
  @IsTimestamp(TIME)
  @IsOptional()
  expires_at?: string | null;

  @ApiField({ example: 'Launch week' })
  @IsStoredText(NOTE_CHARACTERS_MAX)
  @IsOptional()
  note?: string | null;
}
