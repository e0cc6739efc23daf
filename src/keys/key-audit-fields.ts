import { fieldChanges, type FieldChanges } from '../audit/audit-log.js';
import type { ApiKey } from './stores/api-key.entity.js';
import type { KeyValues } from './stores/api-key.store.js';

/** What an audit row tells of. */
const FIELDS = {
  name: 'name',
  status: 'status',
  keyHint: 'key_hint',
  rpmLimit: 'rpm_limit',
  rpdLimit: 'rpd_limit',
  monthlyLimit: 'monthly_limit',
  monthlyTokenLimit: 'monthly_token_limit',
  allowedModels: 'allowed_models',
  expiresAt: 'expires_at',
} as const satisfies Partial<Record<keyof KeyValues, string>>;

/** @param before null: there was no key before */
export const keyChanges = (before: ApiKey | null, values: KeyValues): FieldChanges =>
  fieldChanges(FIELDS, before, values);
