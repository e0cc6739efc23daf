import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-action.data.js';
import { AuditLog, fieldChanges, type FieldChanges } from '../audit/audit-log.js';
import type { Transaction } from '../platform/database/transactions.js';
import type { EventType } from '../audit/events/event-type.data.js';
import { Outbox } from '../audit/events/outbox.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import type { ApiKey } from './stores/api-key.entity.js';
import type { KeyValues } from './stores/api-key.store.js';

/** Other actions (D18) appear only in the audit log (D20). */
const EVENTS: Partial<Record<AuditAction, EventType>> = {
  'api_key.created': 'key_provisioned',
  'api_key.rotated': 'key_rotated',
  'api_key.revoked': 'key_revoked',
  'api_key.suspended': 'key_suspended',
  'api_key.unsuspended': 'key_unsuspended',
};

interface KeyChange {
  readonly action: AuditAction;
  readonly actor: AdminActor;
  readonly key: Pick<ApiKey, 'id' | 'name' | 'status'>;
  /** Written to the audit row, so it must not contain a raw key or its hash. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

@Injectable()
export class KeyChangeRecorder {
  constructor(
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Must run in the transaction of the changes, before the statement that locks the rows on which admission waits. */
  async record(transaction: Transaction, ...changes: readonly KeyChange[]): Promise<void> {
    for (const { action, actor, key, metadata } of changes) {
      await this.audit.write(transaction, { action, actor, targetType: 'api_key', targetId: key.id, metadata });
    }
    const events = changes.flatMap(({ action, key }) => {
      const type = EVENTS[action];
      return type === undefined ? [] : [{ type, data: { key_id: key.id, key_name: key.name, status: key.status } }];
    });
    await this.outbox.publishAll(transaction, events);
  }
}

const FIELDS = {
  name: 'name',
  status: 'status',
  keyHint: 'key_hint',
  teamId: 'team_id',
  tags: 'tags',
  rpmLimit: 'rpm_limit',
  rpdLimit: 'rpd_limit',
  monthlyLimit: 'monthly_limit',
  monthlyTokenLimit: 'monthly_token_limit',
  tokenCounting: 'token_counting',
  allowedModels: 'allowed_models',
  expiresAt: 'expires_at',
} as const satisfies Partial<Record<keyof KeyValues, string>>;

export const keyChanges = (before: ApiKey | null, values: KeyValues): FieldChanges =>
  fieldChanges(FIELDS, before, values);
