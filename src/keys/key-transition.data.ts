import type { AuditAction } from '../audit/audit-action.data.js';
import type { KeyTransition } from './key-state.rules.js';

/** What each transition is called in the audit log, and what is said of a key that cannot take it. */
export const KEY_TRANSITIONS: Record<KeyTransition, { action: AuditAction; refusal: string }> = {
  suspend: { action: 'api_key.suspended', refusal: 'API key not found or not active' },
  unsuspend: { action: 'api_key.unsuspended', refusal: 'API key not found or not suspended' },
  revoke: { action: 'api_key.revoked', refusal: 'API key not found or already revoked' },
  rotate: { action: 'api_key.rotated', refusal: 'API key not found or revoked' },
};
