import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import type { LostChange, LostChangeDecision } from '../../audit/lost-changes/lost-change.js';
import { LostChangeStore } from '../../audit/lost-changes/lost-change.store.js';
import { Transactions } from '../../platform/database/transactions.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';

/** Writes decisions with their audit rows. */
@Injectable()
export class DecisionRecords {
  constructor(
    private readonly store: LostChangeStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  decide(ids: readonly string[], decision: LostChangeDecision, actor: AdminActor): Promise<LostChange[]> {
    return this.transactions.run(async (transaction) => {
      const changes = await this.store.decide(transaction, ids, decision, actor.id ?? actor.type);
      for (const { id, at, action, targetType, targetId } of changes)
        await this.audit.write(transaction, {
          action: `lost_change.${decision}`,
          actor,
          targetType,
          targetId,
          metadata: { lost_change: id, lost_action: action, lost_at: new Date(at).toISOString() },
        });
      return changes;
    });
  }
}
