import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { KeySnapshot, QuotaFigures, WindowFigures } from '../../request-context/key-snapshot.js';
import { withoutCredentials } from '../../telemetry/redact.js';
import { LimitUsage } from './limit-usage.response.dto.js';

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
    expires_at: iso(key.expiresAtMs),
    is_expired: key.expiresAtMs !== null && key.expiresAtMs <= nowMs,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    allowed_models: key.allowedModels === null ? null : [...key.allowedModels],
    this_minute: windowUsage(figures.minute),
    today: windowUsage(figures.day),
    this_month: { requests: windowUsage(figures.month), tokens: tokenUsage(figures.tokens) },
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function windowUsage<L extends number | null>({ limit, used, resetsAtMs }: WindowFigures<L>): WindowUsage<L> {
  const remaining = (limit === null ? null : Math.max(0, limit - used)) as L;
  return { limit, used, remaining, resets_at: new Date(resetsAtMs).toISOString() };
}

/** Tokens count only for keys with a token limit. */
function tokenUsage(tokens: WindowFigures<number | null>): UsageSnapshot['this_month']['tokens'] {
  const usage = windowUsage(tokens);
  return tokens.limit === null ? { ...usage, used: null } : usage;
}
