import { ApiProperty } from '@nestjs/swagger';
import { isExpired, type KeyStatus } from '../../keys/key-state.rules.js';
import type { ApiKey, IssuedKey } from '../../keys/keys.service.js';

const ID = { format: 'uuid' } as const;
const STATUS = { enum: ['active', 'suspended', 'revoked'] };
const LIMIT = { type: 'integer', minimum: 1 } as const;
const TIME = { type: 'string', format: 'date-time' } as const;
const TIME_OR_NULL = { ...TIME, nullable: true } as const;
const SECRET = { pattern: '^sk-gw-[0-9A-Za-z]{49}$', description: 'The raw key: shown here and never again.' };

/** The key resource, without its secret. */
export class ApiKeyResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ description: '`sk-gw-…` and the last four characters of the raw key.' })
  key_hint: string;

  @ApiProperty(STATUS)
  status: KeyStatus;

  @ApiProperty(LIMIT)
  rpm_limit: number;

  @ApiProperty(LIMIT)
  rpd_limit: number;

  @ApiProperty({ ...LIMIT, nullable: true })
  monthly_limit: number | null;

  @ApiProperty({ ...LIMIT, nullable: true })
  monthly_token_limit: number | null;

  @ApiProperty({ type: [String], nullable: true, description: 'null: no restriction.' })
  allowed_models: string[] | null;

  @ApiProperty(TIME_OR_NULL)
  expires_at: Date | null;

  @ApiProperty({ description: 'Whether `expires_at` has passed; the status does not change by it.' })
  is_expired: boolean;

  @ApiProperty(TIME)
  created_at: Date;

  @ApiProperty(TIME)
  updated_at: Date;

  @ApiProperty(TIME_OR_NULL)
  revoked_at: Date | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Of the last accepted request; written hourly at most.' })
  last_used_at: Date | null;

  static of(key: ApiKey, nowMs: number): ApiKeyResponse {
    return {
      id: key.id,
      name: key.name,
      key_hint: key.keyHint,
      status: key.status,
      rpm_limit: key.rpmLimit,
      rpd_limit: key.rpdLimit,
      monthly_limit: key.monthlyLimit,
      monthly_token_limit: key.monthlyTokenLimit,
      allowed_models: key.allowedModels?.length ? key.allowedModels : null,
      expires_at: key.expiresAt,
      is_expired: isExpired(key.expiresAt?.getTime() ?? null, nowMs),
      created_at: key.createdAt,
      updated_at: key.updatedAt,
      revoked_at: key.revokedAt,
      last_used_at: key.lastUsedAt,
    };
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @ApiProperty(SECRET)
  key: string;

  static issued({ key, secret }: IssuedKey, nowMs: number): CreatedApiKeyResponse {
    return { ...ApiKeyResponse.of(key, nowMs), key: secret };
  }
}

export class ApiKeyListResponse {
  @ApiProperty({ type: 'integer', description: 'All that match, whatever `limit` and `offset`.' })
  total: number;

  @ApiProperty()
  has_more: boolean;

  @ApiProperty({ type: [ApiKeyResponse] })
  keys: ApiKeyResponse[];

  static of({ total, keys }: { total: number; keys: ApiKey[] }, offset: number, nowMs: number): ApiKeyListResponse {
    return { total, has_more: offset + keys.length < total, keys: keys.map((key) => ApiKeyResponse.of(key, nowMs)) };
  }
}

/** After suspend and unsuspend. */
export class ApiKeyStatusResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty(STATUS)
  status: KeyStatus;

  @ApiProperty(TIME)
  updated_at: Date;

  static of({ id, status, updatedAt }: ApiKey): ApiKeyStatusResponse {
    return { id, status, updated_at: updatedAt };
  }
}

export class RotatedApiKeyResponse extends ApiKeyStatusResponse {
  @ApiProperty(SECRET)
  key: string;

  static issued({ key, secret }: IssuedKey): RotatedApiKeyResponse {
    return { key: secret, ...ApiKeyStatusResponse.of(key) };
  }
}

export class RevokedApiKeyResponse {
  @ApiProperty(ID)
  id: string;

  @ApiProperty(STATUS)
  status: KeyStatus;

  @ApiProperty(TIME)
  revoked_at: Date | null;

  static of({ id, status, revokedAt }: ApiKey): RevokedApiKeyResponse {
    return { id, status, revoked_at: revokedAt };
  }
}
