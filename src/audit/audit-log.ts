import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions.js';
import type { AdminActor } from '../request-context/caller-session.js';
import type { AuditAction } from './audit-action.data.js';

/** What was done, by whom, to what. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly actor: AdminActor;
  /** `api_key`, `model`, `webhook`, `operator` … */
  readonly targetType: string;
  readonly targetId: string | null;
  /** What changed, old and new. Never a secret, nor its hash. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Writes audit rows (D18). */
@Injectable()
export class AuditLog {
  /**
   * Writes the row inside the transaction of the change that it tells of: both are kept or neither.
   * `actor_id`, `request_id` and `ip` are added to the metadata.
   */
  async write(transaction: Transaction, entry: AuditEntry): Promise<void> {
    const { action, actor, targetType, targetId, metadata } = entry;
    await transaction.query(
      `insert into audit_logs (created_at, action, actor_type, target_type, target_id, metadata)
       values (clock_timestamp(), $1, $2, $3, $4, $5)`,
      [
        action,
        actor.type,
        targetType,
        targetId,
        JSON.stringify({ ...metadata, actor_id: actor.id, request_id: actor.requestId, ip: actor.ip }),
      ],
    );
  }
}
