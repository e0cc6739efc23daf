import type { AuditEntry } from './key-types';

export interface AuditChange {
  readonly field: string;
  readonly old: unknown;
  readonly now: unknown;
}

const ACTIONS: Readonly<Record<string, string>> = {
  'api_key.created': 'Created',
  'api_key.updated': 'Changed',
  'api_key.rotated': 'Rotated',
  'api_key.revoked': 'Revoked',
  'api_key.suspended': 'Suspended',
  'api_key.unsuspended': 'Unsuspended',
  'api_key.quota_reset': 'Quota reset',
};

export const actionText = ({ action }: AuditEntry): string => ACTIONS[action] ?? action;

/** What an entry tells beside its changes: `ip`, `request_id`, `actor_id`. */
export function metadataText({ metadata }: AuditEntry, name: string): string | null {
  const value = metadata[name];
  return typeof value === 'string' ? value : null;
}

/** The fields that changed. Of a creation only what was set. */
export function changesIn({ action, metadata }: AuditEntry): readonly AuditChange[] {
  const { changes } = metadata;
  if (!isRecord(changes)) return [];
  return Object.entries(changes).flatMap(([field, change]) =>
    isRecord(change) && !(action === 'api_key.created' && change['new'] === null)
      ? [{ field, old: change['old'], now: change['new'] }]
      : [],
  );
}

/** Which of a list came and went. */
export function listDifference(old: unknown, now: unknown): { added: string[]; removed: string[] } | null {
  const [before, after] = [namesOf(old), namesOf(now)];
  if (before === null || after === null) return null;
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
  };
}

/** null: no list, or one that means `all`. */
function namesOf(value: unknown): string[] | null {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
