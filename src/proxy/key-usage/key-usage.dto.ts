import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { KeySnapshot, QuotaFigures, WindowFigures } from '../../platform/request-context/key-snapshot.js';
import { withoutCredentials } from '../../platform/telemetry/redact.js';
import type { ActiveLimit, ReadLimit } from '../../quota/limits/limit.js';
import {
  LIMIT_MEASURES,
  LIMIT_MODES,
  LIMIT_PERIODS,
  LIMIT_SCOPES,
  type LimitMeasure,
  type LimitMode,
  type LimitPeriod,
  type LimitScope,
} from '../../quota/limits/limit-terms.data.js';
import { type ShownAmount, shownAmount, shownPeriod } from '../../quota/limits/shown-limit.rules.js';
import { isoTimestamp } from '../../platform/validation/timestamp.js';

const AMOUNT = { oneOf: [{ type: 'string' as const }, { type: 'integer' as const, minimum: 0 }] };
const FIGURE = { ...AMOUNT, nullable: true, description: 'Null while the database is unavailable.' };

/** A limit of the key, its team, one of its tags or the account. Amounts of costs are dollars as decimal strings. */
export class LimitUsage {
  @ApiProperty({ type: 'integer', minimum: 1 })
  id: number;

  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  @ApiProperty({ enum: LIMIT_SCOPES })
  scope: LimitScope;

  @ApiProperty({ enum: LIMIT_MEASURES })
  measure: LimitMeasure;

  @ApiProperty({ enum: LIMIT_PERIODS, nullable: true, description: 'Null for concurrent requests.' })
  period: LimitPeriod | null;

  @ApiProperty({ type: [String], nullable: true, description: 'Null if all models count.' })
  models: readonly string[] | null;

  @ApiProperty({ ...AMOUNT, description: 'Dollars as a decimal string for costs, otherwise an integer.' })
  amount: ShownAmount;

  @ApiProperty(FIGURE)
  used: ShownAmount | null;

  @ApiProperty(FIGURE)
  reserved: ShownAmount | null;

  @ApiProperty(FIGURE)
  remaining: ShownAmount | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'End of the period. Null for rolling periods, for `total`, and while the database is unavailable.',
  })
  resets_at: string | null;

  @ApiProperty({ enum: LIMIT_MODES, description: 'A limit with `observe` refuses nothing.' })
  mode: LimitMode;

  static of({ limit, figures }: ReadLimit): LimitUsage {
    const { effectiveAmount, used, reserved, resetsAtMs } = figures;
    const left = effectiveAmount - used - reserved;
    return {
      ...namesOf(limit),
      amount: shownAmount(limit.measure, effectiveAmount),
      used: shownAmount(limit.measure, used),
      reserved: shownAmount(limit.measure, reserved),
      remaining: shownAmount(limit.measure, left < 0n ? 0n : left),
      resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
      mode: limit.mode,
    };
  }

  static withoutFigures(limit: ActiveLimit): LimitUsage {
    const unknown = { used: null, reserved: null, remaining: null, resets_at: null };
    return { ...namesOf(limit), amount: shownAmount(limit.measure, limit.amount), ...unknown, mode: limit.mode };
  }
}

const namesOf = (limit: ReadLimit['limit'] | ActiveLimit) => ({
  id: limit.id,
  name: limit.name === null ? null : withoutCredentials(limit.name),
  scope: limit.scope,
  measure: limit.measure,
  period: shownPeriod(limit),
  models: limit.models,
});

const NULLABLE_COUNT = { type: 'integer', nullable: true, minimum: 0 } as const;
const TIME = { type: String, format: 'date-time' };

export class WindowUsage<L extends number | null = number> {
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit: L;

  @ApiProperty({ type: 'integer', minimum: 0 })
  used: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Never below 0.' })
  remaining: L;

  @ApiProperty(TIME)
  resets_at: string;
}

class MonthUsage {
  @ApiProperty({ ...NULLABLE_COUNT, description: 'Null if unlimited.' })
  limit: number | null;

  @ApiProperty({ ...NULLABLE_COUNT, description: 'For tokens, null if the API key has no monthly token limit.' })
  used: number | null;

  @ApiProperty({ ...NULLABLE_COUNT, description: 'Null if unlimited.' })
  remaining: number | null;

  @ApiProperty({ ...TIME, description: 'Start of the next month in UTC.' })
  resets_at: string;
}

class ThisMonthUsage {
  @ApiProperty({ type: MonthUsage })
  requests: MonthUsage;

  @ApiProperty({ type: MonthUsage })
  tokens: MonthUsage;
}

export class UsageSnapshot {
  @ApiProperty({ enum: ['usage'] })
  object: 'usage';

  @ApiProperty({ format: 'uuid' })
  key_id: string;

  @ApiProperty()
  key_name: string;

  @ApiProperty({ enum: ['active', 'suspended', 'revoked'] })
  status: 'active' | 'suspended' | 'revoked';

  @ApiProperty({ ...TIME, nullable: true })
  expires_at: string | null;

  @ApiProperty()
  is_expired: boolean;

  @ApiProperty({ ...TIME, nullable: true })
  last_used_at: string | null;

  @ApiProperty({ type: [String], nullable: true, description: 'Null if all models are allowed.' })
  allowed_models: string[] | null;

  @ApiProperty({ type: WindowUsage })
  this_minute: WindowUsage;

  @ApiProperty({ type: WindowUsage })
  today: WindowUsage;

  @ApiProperty({ type: ThisMonthUsage })
  this_month: ThisMonthUsage;

  @ApiPropertyOptional({
    type: [LimitUsage],
    description: 'Further limits under which the API key falls. Absent if there are none.',
  })
  limits?: LimitUsage[];
}

/** @param lastUsedAt from the store, because using a key does not change the version of its snapshot */
export function usageSnapshot(
  key: KeySnapshot,
  figures: QuotaFigures,
  lastUsedAt: Date | null,
  nowMs: number,
): UsageSnapshot {
  return {
    object: 'usage',
    key_id: key.id,
    key_name: withoutCredentials(key.name),
    status: key.status,
    expires_at: isoTimestamp(key.expiresAtMs),
    is_expired: key.expiresAtMs !== null && key.expiresAtMs <= nowMs,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
    this_minute: windowUsage(figures.minute),
    today: windowUsage(figures.day),
    this_month: { requests: windowUsage(figures.month), tokens: tokenUsage(figures.tokens) },
  };
}

function windowUsage<L extends number | null>({ limit, used, resetsAtMs }: WindowFigures<L>): WindowUsage<L> {
  const remaining = (limit === null ? null : Math.max(0, limit - used)) as L;
  return { limit, used, remaining, resets_at: new Date(resetsAtMs).toISOString() };
}

/** Tokens count only for keys with a token limit. */
function tokenUsage(tokens: WindowFigures<number | null>): UsageSnapshot['this_month']['tokens'] {
  const usage = windowUsage(tokens);
  return tokens.limit === null ? { ...usage, used: null } : usage;
}
