import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Transactions } from '../../platform/database/transactions.js';
import { KeyCache } from '../../keys/key-cache.js';
import { ModelPolicyPurge } from '../../model-policy/model-policy-purge.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';

export type Purged = 'catalog' | 'keys' | 'policy';

/** Purges the in-memory caches of all processes (D17). */
@Injectable()
export class CachePurge {
  constructor(
    private readonly keys: KeyCache,
    private readonly models: ModelPolicyPurge,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Refreshes the model catalog from the upstream, which takes at most 15 s, and then purges the keys and the policy. This
   * process has purged them when the promise resolves; the others do so when they receive the `NOTIFY`. The result omits
   * `catalog` if the upstream did not return its models.
   */
  async purge(actor: AdminActor): Promise<Purged[]> {
    const refreshed = await this.models.refreshCatalog();
    const purged: Purged[] = [...(refreshed ? (['catalog'] as const) : []), 'keys', 'policy'];
    await this.transactions.run(async (transaction) => {
      await this.audit.write(transaction, {
        action: 'cache.purged',
        actor,
        targetType: 'cache',
        targetId: null,
        metadata: { purged },
      });
      // An empty payload invalidates all keys.
      await transaction.query(`select pg_notify('gw_key', ''), pg_notify('gw_policy', '')`);
    });
    this.keys.keysChanged(null);
    await this.models.readPolicy();
    return purged;
  }
}
