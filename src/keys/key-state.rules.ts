import { apiKeyExpired, apiKeyRevoked, apiKeySuspended } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import type { AuditAction } from '../audit/audit-action.data.js';

export type KeyStatus = KeySnapshot['status'];

/** Expiry is not a status: an expired key stays `active`. */
export function isExpired(expiresAtMs: number | null, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Returns null if the key can be used. Revoked and suspended take precedence over expired (D2). */
export function keyStateRejection(
  { status, expiresAtMs }: Pick<KeySnapshot, 'status' | 'expiresAtMs'>,
  nowMs: number,
): GatewayError | null {
  switch (status) {
    case 'revoked':
      return apiKeyRevoked();
    case 'suspended':
      return apiKeySuspended();
    case 'active':
      return isExpired(expiresAtMs, nowMs) ? apiKeyExpired() : null;
    default:
      return status satisfies never;
  }
}

interface Transition {
  /** The new status by current status. From any other status, the transition is rejected. */
  readonly becomes: Readonly<Partial<Record<KeyStatus, KeyStatus>>>;
  readonly action: AuditAction;
  readonly notFoundMessage: string;
}

export type KeyTransition = 'suspend' | 'unsuspend' | 'revoke' | 'rotate';
export type StatusTransition = Exclude<KeyTransition, 'rotate'>;

export const KEY_TRANSITIONS: Readonly<Record<KeyTransition, Transition>> = {
  suspend: {
    becomes: { active: 'suspended' },
    action: 'api_key.suspended',
    notFoundMessage: 'API key not found or not active',
  },
  unsuspend: {
    becomes: { suspended: 'active' },
    action: 'api_key.unsuspended',
    notFoundMessage: 'API key not found or not suspended',
  },
  revoke: {
    becomes: { active: 'revoked', suspended: 'revoked' },
    action: 'api_key.revoked',
    notFoundMessage: 'API key not found or already revoked',
  },
  rotate: {
    becomes: { active: 'active', suspended: 'suspended' },
    action: 'api_key.rotated',
    notFoundMessage: 'API key not found or revoked',
  },
};

export function statusAfter(transition: KeyTransition, status: KeyStatus): KeyStatus | null {
  return KEY_TRANSITIONS[transition].becomes[status] ?? null;
}
