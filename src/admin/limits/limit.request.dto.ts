import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import { LIMIT_SORTS, type LimitFilter, type LimitSort } from '../../quota/limits/limit-list.read-model.js';
import { TAG } from '../../keys/teams/tag.rules.js';
import { QueryEnum, QueryUuid } from '../../platform/validation/query-fields.js';
import { PageRequest } from '../page.dto.js';
import { QueryTag } from '../teams/tags.decorators.js';
import {
  DEFAULT_THRESHOLDS,
  NAME_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
  PATTERN_CHARACTERS_MAX,
  PATTERNS_MAX,
  THRESHOLD_MAX,
  THRESHOLDS_MAX,
  WEIGHT_MAX,
  ZONE_CHARACTERS_MAX,
} from './limit-input.rules.js';
import { AMOUNT, TIME, UUID_OR_NULL } from './limit-schemas.data.js';

const FORMATS = ['json', 'csv'] as const;
const LIMIT_AMOUNT = {
  ...AMOUNT,
  example: '250.00',
  description: `For \`cost\` dollars as a string with at most 6 decimals, up to ${DOLLARS_MAX}. Otherwise an integer up to ${COUNT_MAX}. 0 refuses everything.`,
};

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

  @QueryEnum(FORMATS, { byDefault: 'json', description: 'CSV has all limits, regardless of `limit` and `offset`.' })
  format: (typeof FORMATS)[number];
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

class CacheWeightsRequest {
  @ApiPropertyOptional({ type: 'number', minimum: 0, maximum: WEIGHT_MAX, default: 1, example: 0.1 })
  cached_input?: number;

  @ApiPropertyOptional({ type: 'number', minimum: 0, maximum: WEIGHT_MAX, default: 1, example: 1.25 })
  cache_write?: number;
}

export class UpdateLimitRequest {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    example: 'Monthly budget',
    description: 'Refused requests name it.',
  })
  name?: string | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    minItems: 1,
    maxItems: PATTERNS_MAX,
    example: ['gpt-4o*'],
    description: `Models that count: IDs, or patterns with \`*\`, each of at most ${PATTERN_CHARACTERS_MAX} characters. null: all.`,
  })
  models?: string[] | null;

  @ApiPropertyOptional(LIMIT_AMOUNT)
  amount?: string | number;

  @ApiPropertyOptional({ enum: LIMIT_MODES, default: 'enforce', description: '`observe`: only count and alert.' })
  mode?: string;

  @ApiPropertyOptional({
    enum: LIMIT_RESERVES,
    default: 'typical',
    description:
      'The reservation of a request before its usage is known. `full`: the most that it can use. `typical`: what is likely. Usage can then reach twice the limit. `none`: nothing. Usage then has no bound.',
  })
  reserve?: string;

  @ApiPropertyOptional({
    type: CacheWeightsRequest,
    nullable: true,
    description: 'Weights of cache tokens. Only for `tokens` and `input_tokens`. null: 1 each.',
  })
  weights?: CacheWeightsRequest | null;

  @ApiPropertyOptional({ ...TIME, nullable: true, description: 'Before, the limit counts nothing. null: at once.' })
  starts_at?: string | null;

  @ApiPropertyOptional({ ...TIME, nullable: true, description: 'Exclusive. null: never.' })
  ends_at?: string | null;

  @ApiPropertyOptional({ type: Boolean, default: true })
  enabled?: boolean;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: THRESHOLD_MAX },
    maxItems: THRESHOLDS_MAX,
    uniqueItems: true,
    default: [...DEFAULT_THRESHOLDS],
    description: 'Percentages of the amount. Each one creates an event once per period. Empty: no alerts.',
  })
  alert_thresholds?: number[];

  @ApiPropertyOptional({
    ...AMOUNT,
    nullable: true,
    example: null,
    description:
      'The maximum unused amount that is carried over to the next period, with the values of `amount` except 0. null: nothing.',
  })
  carry_over?: string | number | null;
}

export class CreateLimitRequest extends UpdateLimitRequest {
  @ApiProperty({ enum: LIMIT_SCOPES, example: 'team', description: 'Whose requests the limit counts.' })
  scope: string;

  @ApiPropertyOptional({ ...UUID_OR_NULL, description: 'Required with `scope` `team`.' })
  team_id?: string | null;

  @ApiPropertyOptional({ ...UUID_OR_NULL, description: 'Required with `scope` `key`.' })
  key_id?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    pattern: TAG.source,
    example: null,
    description: 'Required with `scope` `tag`. The limit counts all keys with the tag, and all keys whose team has it.',
  })
  tag?: string | null;

  @ApiProperty({ enum: LIMIT_MEASURES, example: 'cost' })
  measure: string;

  @ApiPropertyOptional({
    enum: LIMIT_PERIODS,
    nullable: true,
    example: 'month',
    description: 'Required, except for `concurrent_requests`, which have none.',
  })
  period?: string | null;

  @ApiPropertyOptional({
    type: String,
    maxLength: ZONE_CHARACTERS_MAX,
    default: 'UTC',
    example: 'Europe/Berlin',
    description: 'IANA time zone in which days, weeks and months begin. Weeks begin on Monday.',
  })
  time_zone?: string;

  @ApiProperty(LIMIT_AMOUNT)
  override amount: string | number;
}

export class SimulateLimitRequest extends CreateLimitRequest {
  @ApiPropertyOptional({
    ...TIME,
    description: 'First day (UTC), as a date or a time on it. The default is 29 days before `until`.',
  })
  since?: string;

  @ApiPropertyOptional({ ...TIME, description: 'Last day (UTC), which is included. The default is today.' })
  until?: string;
}

export class CreateTopUpRequest {
  @ApiProperty({
    ...AMOUNT,
    example: '50.00',
    description: 'It raises the amount of the limit while it is active. The same values are valid, except 0.',
  })
  amount: string | number;

  @ApiPropertyOptional({
    ...TIME,
    nullable: true,
    description:
      'The default is the end of the current period. For a rolling period, it is when all usage so far has expired. null: never, which is the default for `total`.',
  })
  expires_at?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: NOTE_CHARACTERS_MAX,
    example: 'Launch week',
  })
  note?: string | null;
}
