import { ApiProperty } from '@nestjs/swagger';
import type { BulkOutcome } from '../../keys/bulk-transitions.service.js';
import { isExpired, type KeyStatus } from '../../keys/key-state.rules.js';
import type { ApiKey, IssuedKey } from '../../keys/keys.service.js';
import { TOKEN_COUNTINGS, type TokenCounting } from '../../platform/request-context/key-snapshot.js';
import { Page, pageOf } from '../page.dto.js';
import { TAGS_EXAMPLE } from '../teams/tags.decorators.js';
import { TEAM_ID } from '../teams/team.dto.js';
import { KEY_ID, TIME } from '../fields.data.js';

const STATUS = { enum: ['active', 'suspended', 'revoked'], example: 'active' };
const LIMIT = { type: 'integer', minimum: 1 } as const;
const TIME_OR_NULL = { ...TIME, nullable: true } as const;
const CREATED = '2026-07-14T09:30:42.118Z';
const CHANGED = '2026-07-20T16:05:00.007Z';
const SECRET = {
  pattern: '^sk-gw-[0-9A-Za-z]{49}$',
  example: 'sk-gw-EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE',
  description: 'The raw key. It is shown only once.',
};

export class ApiKeyResponse {
  @ApiProperty(KEY_ID)
  id: string;

  @ApiProperty({ example: 'Checkout service' })
  name: string;

  @ApiProperty({
    example: 'sk-gw-…x7Qa',
    description: '`sk-gw-…` and the last four characters of the raw key. An imported key begins with `sk-…`.',
  })
  key_hint: string;

  @ApiProperty({ ...TEAM_ID, type: String, nullable: true, description: 'Null if the key has no team.' })
  team_id: string | null;

  @ApiProperty({
    type: [String],
    ...TAGS_EXAMPLE,
    description: 'Tags of the key itself. The tags of its team are not included.',
  })
  tags: string[];

  @ApiProperty(STATUS)
  status: KeyStatus;

  @ApiProperty({ ...LIMIT, example: 60 })
  rpm_limit: number;

  @ApiProperty({ ...LIMIT, example: 10_000 })
  rpd_limit: number;

  @ApiProperty({ ...LIMIT, nullable: true, example: 200_000, description: 'Null if unlimited.' })
  monthly_limit: number | null;

  @ApiProperty({ ...LIMIT, nullable: true, example: 5_000_000, description: 'Null if unlimited.' })
  monthly_token_limit: number | null;

  @ApiProperty({
    enum: TOKEN_COUNTINGS,
    example: 'specification',
    description: 'Tokens that `monthly_token_limit` counts: input and output, or all that providers report.',
  })
  token_counting: TokenCounting;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['gpt-4o-mini'],
    description: 'Null if the key can use all models.',
  })
  allowed_models: string[] | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    example: '2027-01-01T00:00:00.000Z',
    description: 'Null if the key does not expire.',
  })
  expires_at: Date | null;

  @ApiProperty({ example: false, description: 'Whether `expires_at` has passed. Expiry does not change `status`.' })
  is_expired: boolean;

  @ApiProperty({ ...TIME, example: CREATED })
  created_at: Date;

  @ApiProperty({ ...TIME, example: CHANGED })
  updated_at: Date;

  @ApiProperty({ ...TIME_OR_NULL, example: null, description: 'Null if the key is not revoked.' })
  revoked_at: Date | null;

  @ApiProperty({
    ...TIME_OR_NULL,
    example: '2026-07-20T15:58:11.530Z',
    description: 'Time of the last admitted request, updated at most once per hour.',
  })
  last_used_at: Date | null;

  static of(key: ApiKey, nowMs: number): ApiKeyResponse {
    return {
      id: key.id,
      name: key.name,
      key_hint: key.keyHint,
      team_id: key.teamId,
      tags: key.tags,
      status: key.status,
      rpm_limit: key.rpmLimit,
      rpd_limit: key.rpdLimit,
      monthly_limit: key.monthlyLimit,
      monthly_token_limit: key.monthlyTokenLimit,
      token_counting: key.tokenCounting,
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

  static issued({ key, rawKey }: IssuedKey, nowMs: number): CreatedApiKeyResponse {
    return { ...ApiKeyResponse.of(key, nowMs), key: rawKey };
  }
}

export class ApiKeyListResponse extends Page {
  @ApiProperty({ type: [ApiKeyResponse] })
  keys: ApiKeyResponse[];

  static of({ total, keys }: { total: number; keys: ApiKey[] }, offset: number, nowMs: number): ApiKeyListResponse {
    return { ...pageOf(total, offset, keys.length), keys: keys.map((key) => ApiKeyResponse.of(key, nowMs)) };
  }
}

export class ApiKeyStatusResponse {
  @ApiProperty(KEY_ID)
  id: string;

  @ApiProperty(STATUS)
  status: KeyStatus;

  @ApiProperty({ ...TIME, example: CHANGED })
  updated_at: Date;

  static of({ id, status, updatedAt }: ApiKey): ApiKeyStatusResponse {
    return { id, status, updated_at: updatedAt };
  }
}

export class RotatedApiKeyResponse extends ApiKeyStatusResponse {
  @ApiProperty(SECRET)
  key: string;

  static issued({ key, rawKey }: IssuedKey): RotatedApiKeyResponse {
    return { key: rawKey, ...ApiKeyStatusResponse.of(key) };
  }
}

export class RevokedApiKeyResponse {
  @ApiProperty(KEY_ID)
  id: string;

  @ApiProperty({ ...STATUS, example: 'revoked' })
  status: KeyStatus;

  @ApiProperty(TIME)
  revoked_at: Date | null;

  static of({ id, status, revokedAt }: ApiKey): RevokedApiKeyResponse {
    return { id, status, revoked_at: revokedAt };
  }
}

class FailedKey {
  @ApiProperty({ example: '0b9a7c1d-52f4-4e0b-8f43-6a1e2d3c4b5a' })
  id: string;

  @ApiProperty({
    description:
      'Error code that the single-key route returns, for example `not_found` for an unknown key. `service_unavailable`: ' +
      'the database became unavailable before this key was changed. Retry the request for this key.',
    example: 'not_found',
  })
  code: string;

  @ApiProperty({ example: 'API key not found or not active' })
  message: string;
}

const IN_ORDER = 'In the order of the request.';
const AS_SINGLE = 'Response of the single-key route for each key, in the order of the request.';

export class BulkStatusResponse {
  @ApiProperty({ type: [ApiKeyStatusResponse], description: AS_SINGLE })
  succeeded: ApiKeyStatusResponse[];

  @ApiProperty({ type: [FailedKey], description: IN_ORDER })
  failed: FailedKey[];

  static of(outcome: BulkOutcome): BulkStatusResponse {
    return {
      succeeded: outcome.succeeded.map((key) => ApiKeyStatusResponse.of(key)),
      failed: failedOf(outcome),
    };
  }
}

export class BulkRevokeResponse {
  @ApiProperty({ type: [RevokedApiKeyResponse], description: AS_SINGLE })
  succeeded: RevokedApiKeyResponse[];

  @ApiProperty({ type: [FailedKey], description: IN_ORDER })
  failed: FailedKey[];

  static of(outcome: BulkOutcome): BulkRevokeResponse {
    return {
      succeeded: outcome.succeeded.map((key) => RevokedApiKeyResponse.of(key)),
      failed: failedOf(outcome),
    };
  }
}

const failedOf = ({ failed }: BulkOutcome): FailedKey[] =>
  failed.map(({ id, error: { code, message } }) => ({ id: id.toLowerCase(), code, message }));
