import type { AuditAction } from '../audit-action.data.js';

/** The state of a key after a change. */
export interface RememberedKey {
  readonly version: number;
  readonly status: 'active' | 'suspended' | 'revoked';
  /** SHA-256 of the raw key, in hexadecimal digits */
  readonly keyHash: string;
  readonly keyHint: string;
}

export interface RememberedPolicy {
  readonly enabled: boolean;
}

/** A row of the audit log that a process has read, with the state of the key or model policy that it changed. */
export interface RememberedChange {
  /** The ID of the audit row. */
  readonly id: string;
  /** The time of the audit row, with microseconds. */
  readonly at: string;
  readonly action: AuditAction;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly targetType: string;
  readonly targetId: string | null;
  /** The name of a key. */
  readonly targetName: string | null;
  /** Null if a later change of the same target has it, or if the gateway does not remember changes of this kind. */
  readonly remembered: RememberedKey | RememberedPolicy | null;
}

export const LOST_CHANGE_DECISIONS = ['applied', 'discarded'] as const;
export type LostChangeDecision = (typeof LOST_CHANGE_DECISIONS)[number];

/** A change that the database has lost. */
export interface LostChange extends RememberedChange {
  readonly detectedAt: Date;
  readonly decision: LostChangeDecision | null;
  readonly decidedAt: Date | null;
  /** An operator's ID, or a kind of actor such as `admin_key`. */
  readonly decidedBy: string | null;
}

export const keyOf = ({ remembered }: RememberedChange): RememberedKey | null =>
  remembered !== null && 'keyHash' in remembered ? remembered : null;

export const policyOf = ({ remembered }: RememberedChange): RememberedPolicy | null =>
  remembered !== null && 'enabled' in remembered ? remembered : null;

export const targetOf = ({ targetType, targetId }: RememberedChange): string => `${targetType} ${targetId ?? ''}`;

/** Such as `api_key.revoked of api_key 6f1c2f0e-3c0a-4c55-9d43-1f2b7c9a8e10 (Checkout service)` */
export function describeChange({ action, targetType, targetId, targetName }: RememberedChange): string {
  const name = targetName === null ? '' : ` (${targetName})`;
  return `${action} of ${targetType} ${targetId ?? '-'}${name}`;
}
