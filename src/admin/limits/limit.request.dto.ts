import { isAbsent } from '../../platform/validation/check.js';
import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { IsArray, ArrayMaxSize, ArrayMinSize, IsBoolean, IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import { TAG, TAG_EXPECTED } from '../../keys/teams/tag.rules.js';
import { missingRequiredParameter } from '../../platform/errors/error-factories.js';
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
  type LimitMeasure,
  type LimitMode,
  type LimitPeriod,
  type LimitReserve,
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import {
  absentIfConcurrent,
  cacheWeight,
  hasOnlyItsTarget,
  isConcurrent,
  limitAmount,
  thresholds,
  THRESHOLD_MAX,
  WEIGHT_MAX,
} from './limit-checks.rules.js';
import { INPUT_AMOUNT } from './limit-schemas.data.js';

const NAME_CHARACTERS_MAX = 255;
const NOTE_CHARACTERS_MAX = 500;
const PATTERNS_MAX = 100;
const PATTERN_CHARACTERS_MAX = 200;
const THRESHOLDS_MAX = 10;
const ZONE_CHARACTERS_MAX = 64;
export const DEFAULT_THRESHOLDS: readonly number[] = [50, 80, 100];

const TIME_EXAMPLE = '2026-08-01T00:00:00.000Z';
const TIME = { message: TIMESTAMP_EXPECTED };

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
