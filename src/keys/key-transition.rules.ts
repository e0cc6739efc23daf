import type { AuditAction } from '../audit/audit-action.data.js';
import type { KeyStatus } from './key-state.rules.js';

interface Transition {
  /** The status after it, by the one that it finds. What is not named here is refused. */
  readonly becomes: Readonly<Partial<Record<KeyStatus, KeyStatus>>>;
  /** What it is called in the audit log. */
  readonly action: AuditAction;
  /** What is said of a key that cannot take it. */
  readonly refusal: string;
}

export type KeyTransition = 'suspend' | 'unsuspend' | 'revoke' | 'rotate';
/** Those that change nothing but the status. */
export type StatusTransition = Exclude<KeyTransition, 'rotate'>;

/** What each admin call makes of a key. */
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

/** The status after `transition`; null where a key of this status cannot go that way. */
export function statusAfter(transition: KeyTransition, status: KeyStatus): KeyStatus | null {
  return KEY_TRANSITIONS[transition].becomes[status] ?? null;
}
