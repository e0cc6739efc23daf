import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-action.data.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Transaction } from '../database/transactions.js';
import type { EventType } from '../events/event-type.data.js';
import { Outbox } from '../events/outbox.js';
import type { AdminActor } from '../request-context/caller-session.js';
import type { ApiKey } from './stores/api-key.entity.js';

/** What is sent out (D20) beside the audit row (D18). What is not named here is in the audit log only. */
const EVENTS: Partial<Record<AuditAction, EventType>> = {
  'api_key.created': 'key_provisioned',
  'api_key.rotated': 'key_rotated',
  'api_key.revoked': 'key_revoked',
  'api_key.suspended': 'key_suspended',
  'api_key.unsuspended': 'key_unsuspended',
};

interface KeyDeed {
  readonly action: AuditAction;
  readonly actor: AdminActor;
  /** As it is after the deed. */
  readonly key: Pick<ApiKey, 'id' | 'name' | 'status'>;
  /** For the audit row: what changed, old and new. Never a secret, nor its hash. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Writes down what an admin does to a key, for those who look back and for those who want to be told. */
@Injectable()
export class KeyTrail {
  constructor(
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Inside the transaction of the deed, and before the statement that takes the row on which admission waits. */
  write(transaction: Transaction, deed: KeyDeed): Promise<void> {
    return this.writeAll(transaction, [deed]);
  }

  /** The same for several, which are one transaction. */
  async writeAll(transaction: Transaction, deeds: readonly KeyDeed[]): Promise<void> {
    for (const { action, actor, key, metadata } of deeds) {
      await this.audit.write(transaction, { action, actor, targetType: 'api_key', targetId: key.id, metadata });
    }
    const events = deeds.flatMap(({ action, key }) => {
      const type = EVENTS[action];
      return type === undefined ? [] : [{ type, data: { key_id: key.id, key_name: key.name, status: key.status } }];
    });
    await this.outbox.publishAll(transaction, events);
  }
}
