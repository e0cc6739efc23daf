import { ApiProperty } from '@nestjs/swagger';

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
  @ApiProperty({ ...NULLABLE_COUNT, description: 'null: unlimited.' })
  limit: number | null;

  @ApiProperty({ ...NULLABLE_COUNT, description: 'null for tokens where the key has no monthly token limit.' })
  used: number | null;

  @ApiProperty({ ...NULLABLE_COUNT, description: 'null: unlimited.' })
  remaining: number | null;

  @ApiProperty({ ...TIME, description: 'First second (UTC) of the next month.' })
  resets_at: string;
}

class ThisMonthUsage {
  @ApiProperty({ type: MonthUsage })
  requests: MonthUsage;

  @ApiProperty({ type: MonthUsage })
  tokens: MonthUsage;
}

/** The answer of `GET /v1/usage`. */
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

  @ApiProperty({ type: [String], nullable: true, description: 'null: no restriction.' })
  allowed_models: string[] | null;

  @ApiProperty({ type: WindowUsage })
  this_minute: WindowUsage;

  @ApiProperty({ type: WindowUsage })
  today: WindowUsage;

  @ApiProperty({ type: ThisMonthUsage })
  this_month: ThisMonthUsage;
}
