import type { KeySettings } from '../../keys/keys.service.js';
import { ArrayField, IntegerField, StringField, TimestampField } from '../../validation/fields.js';
import { string } from '../../validation/scalar-kinds.js';
import { parseTimestamp } from '../../validation/timestamp.js';
import { EXACT_MODEL_ID } from '../exact-model-id.js';

const LIMIT = { min: 1, max: 2_147_483_647 } as const;
const NAME = { min: 1, max: 255, stored: true, example: 'Checkout service' } as const;
const MODEL_ID = string(EXACT_MODEL_ID);

/** What a key may and how long it lives: the same on creation and later. */
abstract class KeyLimits {
  @IntegerField({ ...LIMIT, byDefault: 60, description: 'Requests a minute.' })
  rpm_limit?: number;

  @IntegerField({ ...LIMIT, byDefault: 10_000, description: 'Requests a day (UTC).' })
  rpd_limit?: number;

  @IntegerField({ ...LIMIT, nullable: true, example: 200_000, description: 'Requests a month (UTC); null: unlimited.' })
  monthly_limit?: number | null;

  @IntegerField({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    nullable: true,
    example: 5_000_000,
    description: 'Tokens a month; null: unlimited.',
  })
  monthly_token_limit?: number | null;

  @ArrayField(MODEL_ID, {
    max: 1000,
    nullable: true,
    example: ['gpt-4o-mini'],
    description: 'Exact model ids; null or empty: no restriction.',
  })
  allowed_models?: string[] | null;

  @TimestampField({
    nullable: true,
    example: '2027-01-01T00:00:00Z',
    description: 'When the key expires; null: never. May lie in the past.',
  })
  expires_at?: string | null;
}

export class CreateApiKeyRequest extends KeyLimits {
  @StringField({ ...NAME, required: true })
  name: string;
}

/** What is left out stays as it is. */
export class UpdateApiKeyRequest extends KeyLimits {
  @StringField(NAME)
  name?: string;
}

export function settingsOf<T extends UpdateApiKeyRequest>(body: T): KeySettings & Pick<T, 'name'> {
  return {
    name: body.name,
    rpmLimit: body.rpm_limit,
    rpdLimit: body.rpd_limit,
    monthlyLimit: body.monthly_limit,
    monthlyTokenLimit: body.monthly_token_limit,
    allowedModels: body.allowed_models,
    expiresAt: dateOf(body.expires_at),
  };
}

/** `text` has passed its rule, so it is a timestamp. */
function dateOf(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? new Date(parseTimestamp(text)!) : text;
}
