import type { AuditAction } from '../audit/audit-action.data.js';
import type { KeyStatus } from './key-state.rules.js';

interface Transition {
  /** The new status by current status. Other statuses are rejected. */
  readonly becomes: Readonly<Partial<Record<KeyStatus, KeyStatus>>>;
  readonly action: AuditAction;
  /** The message of the 404. */
  readonly refusal: string;
}

export type KeyTransition = 'suspend' | 'unsuspend' | 'revoke' | 'rotate';
export type StatusTransition = Exclude<KeyTransition, 'rotate'>;

export const KEY_TRANSITIONS: Readonly<Record<KeyTransition, Transition>> = {
  suspend: {
    becomes: { active: 'suspended' },
    action: 'api_key.suspended',
    refusal: 'API key not found or not active',
  },
  unsuspend: {
    becomes: { suspended: 'active' },
    action: 'api_key.unsuspended',
    refusal: 'API key not found or not suspended',
  },
  revoke: {
    becomes: { active: 'revoked', suspended: 'revoked' },
    action: 'api_key.revoked',
    refusal: 'API key not found or already revoked',
  },
  rotate: {
    becomes: { active: 'active', suspended: 'suspended' },
    action: 'api_key.rotated',
    refusal: 'API key not found or revoked',
  },
};

export function statusAfter(transition: KeyTransition, status: KeyStatus): KeyStatus | null {
  return KEY_TRANSITIONS[transition].becomes[status] ?? null;
}
