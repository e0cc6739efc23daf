import type { ApiKey } from './stores/api-key.entity.js';
import type { KeyValues } from './stores/api-key.store.js';

/** What an audit row tells of: names as clients know them, and no secret's hash among them (D18). */
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

type KeyChanges = Record<string, { old: unknown; new: unknown }>;

/** The fields in which `values` differs from `before`; null: there was no key before. Dates as ISO 8601. */
export function changesOf(before: ApiKey | null, values: KeyValues): KeyChanges {
  const changes: KeyChanges = {};
  for (const [property, field] of Object.entries(FIELDS) as [keyof typeof FIELDS, string][]) {
    if (values[property] === undefined) continue;
    const change = { old: plain(before?.[property] ?? null), new: plain(values[property]) };
    if (JSON.stringify(change.old) !== JSON.stringify(change.new)) changes[field] = change;
  }
  return changes;
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
