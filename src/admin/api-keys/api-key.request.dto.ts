import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import type { KeyStatus } from '../../keys/key-state.rules.js';
import type { KeyListQuery, KeySettings, KeySortField } from '../../keys/keys.service.js';
import { RESETTABLE_WINDOWS, type ResettableWindow } from '../../quota/quota-reset.js';
import { TOKEN_COUNTINGS, type TokenCounting } from '../../platform/request-context/key-snapshot.js';
import {
  ApiField,
  CanBeAbsent,
  Compared,
  IsNotAfter,
  IsStoredText,
  IsTimestamp,
} from '../../platform/validation/input.decorators.js';
import { QueryEnum, QueryFlag, QueryText, QueryTimestamp, QueryUuid } from '../../platform/validation/query-fields.js';
import { parseTimestamp } from '../../platform/validation/timestamp.js';
import { IsExactModelId } from '../model-allowlist/model-allowlist.dto.js';
import { PageRequest } from '../page.dto.js';
import { QueryTag, Tags } from '../teams/tags.decorators.js';

const LIMIT_MAX = 2_147_483_647;
const ALLOWED_MODELS_MAX = 1000;
const BULK_KEYS_MAX = 500;
const NAME_EXAMPLE = { example: 'Checkout service' };

abstract class KeyFields {
  @ApiField({
    example: '3d2f8a54-9f0b-4c1e-8a6d-5e7b1c0d9f23',
    description:
      'Team to which the key belongs. A key that moves to another team keeps its usage. Null removes the key from its team.',
  })
  @IsUUID('loose')
  @IsOptional()
  team_id?: string | null;

  @Tags('In addition to the tags of the team. Duplicates are removed.')
  tags?: string[];

  @ApiField({ default: 60, description: 'Request limit per minute.' })
  @IsInt()
  @Min(1)
  @Max(LIMIT_MAX)
  @CanBeAbsent()
  rpm_limit?: number;

  @ApiField({ default: 10_000, description: 'Request limit per day (UTC).' })
  @IsInt()
  @Min(1)
  @Max(LIMIT_MAX)
  @CanBeAbsent()
  rpd_limit?: number;

  @ApiField({ example: 200_000, description: 'Request quota per month (UTC). Null for no limit.' })
  @IsInt()
  @Min(1)
  @Max(LIMIT_MAX)
  @IsOptional()
  monthly_limit?: number | null;

  @ApiField({ example: 5_000_000, description: 'Token limit per month (UTC). Null for no limit.' })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  @IsOptional()
  monthly_token_limit?: number | null;

  @ApiField({
    default: 'specification',
    description:
      'Tokens that `monthly_token_limit` counts. `all` also counts tokens that providers report in addition to input and ' +
      "output, such as Anthropic's cache reads and writes.",
  })
  @IsIn(TOKEN_COUNTINGS)
  @CanBeAbsent()
  token_counting?: TokenCounting;

  @ApiField({ example: ['gpt-4o-mini'], description: 'Exact model IDs. null or an empty list means no restriction.' })
  @IsExactModelId({ each: true })
  @ArrayMaxSize(ALLOWED_MODELS_MAX)
  @IsArray()
  @IsOptional()
  allowed_models?: string[] | null;

  @ApiField({
    example: '2027-01-01T00:00:00Z',
    description: 'When the key expires. It can be in the past. Null if the key does not expire.',
  })
  @IsTimestamp()
  @IsOptional()
  expires_at?: string | null;
}

export class CreateApiKeyRequest extends KeyFields {
  @ApiField(NAME_EXAMPLE)
  @IsStoredText(255)
  name: string;
}

export class UpdateApiKeyRequest extends KeyFields {
  @ApiField(NAME_EXAMPLE)
  @IsStoredText(255)
  @CanBeAbsent()
  name?: string;
}

export function settingsOf<T extends UpdateApiKeyRequest>(body: T): KeySettings & Pick<T, 'name'> {
  return {
    name: body.name,
    teamId: body.team_id?.toLowerCase() ?? body.team_id,
    tags: body.tags,
    rpmLimit: body.rpm_limit,
    rpdLimit: body.rpd_limit,
    monthlyLimit: body.monthly_limit,
    monthlyTokenLimit: body.monthly_token_limit,
    tokenCounting: body.token_counting,
    allowedModels: body.allowed_models,
    expiresAt: dateOf(body.expires_at),
  };
}

function dateOf(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? new Date(parseTimestamp(text)!) : text;
}

export class BulkKeysRequest {
  @ApiField({
    example: ['6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10', '0b9a7c1d-52f4-4e0b-8f43-6a1e2d3c4b5a'],
    description: 'Key IDs. Duplicates count once.',
  })
  @IsUUID('loose', { each: true })
  @ArrayMaxSize(BULK_KEYS_MAX)
  @ArrayMinSize(1)
  @IsArray()
  ids: string[];
}

export class ResetQuotaRequest {
  @ApiField({
    default: 'all',
    example: 'minute',
    description: 'Request counts to reset. `all` means minute, day and month. Token counts stay unchanged.',
  })
  @IsIn(RESETTABLE_WINDOWS)
  @CanBeAbsent()
  window?: ResettableWindow;
}

export class ListApiKeysRequest extends PageRequest {
  @Compared<ListApiKeysRequest>(({ expired }) => expired !== true, `absent if 'expired' is true`)
  @QueryEnum(['active', 'suspended', 'revoked'], { description: 'Cannot be combined with `expired=true`.' })
  status?: KeyStatus;

  @QueryText({ max: 255, description: 'Part of the name or the ID. Letter case is ignored.' })
  name?: string;

  @QueryFlag({ description: '`true` lists only expired keys, `false` only keys that have not expired.' })
  expired?: boolean;

  @IsNotAfter('until')
  @QueryTimestamp({ description: 'Earliest creation time.' })
  since?: number;

  @QueryTimestamp({ description: 'Latest creation time.' })
  until?: number;

  @QueryUuid('Only keys of this team.')
  team_id?: string;

  @QueryTag('Only keys that have this tag, or whose team has it.')
  tag?: string;

  @QueryEnum(['name', 'created_at', 'updated_at', 'last_used_at'], { byDefault: 'created_at' })
  sort_by: KeySortField;

  @QueryEnum(['asc', 'desc'], { byDefault: 'desc' })
  sort_dir: 'asc' | 'desc';
}

export function listQueryOf(query: ListApiKeysRequest): KeyListQuery {
  const { status = null, name = null, expired = null, since = null, until = null, limit, offset } = query;
  const { team_id: teamId = null, tag = null } = query;
  const filters = { status, name, expired, sinceMs: since, untilMs: until, teamId, tag };
  return { ...filters, sortBy: query.sort_by, sortDir: query.sort_dir, limit, offset };
}
