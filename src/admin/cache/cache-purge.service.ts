import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Transactions } from '../../database/transactions.js';
import { KeyCache } from '../../keys/key-cache.js';
import { ModelPolicyPurge } from '../../model-policy/model-states.service.js';
import type { AdminActor } from '../../request-context/caller-session.js';

/** What can be purged, by the name that the answer has for it. */
export type Purged = 'catalog' | 'keys' | 'policy';

/** Makes every process read anew what it holds in memory (D17). */
@Injectable()
export class CachePurge {
  constructor(
    private readonly keys: KeyCache,
    private readonly models: ModelPolicyPurge,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Asks the upstream for its list of models, then drops keys and policy: here before it resolves, elsewhere as soon as
   * the notice has come. Takes as long as the upstream does, 15 s at most.
   * @returns without `catalog` where the upstream could not be asked: the list stays as it was
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
      // An empty notice says that anything may have changed.
      await transaction.query(`select pg_notify('gw_key', ''), pg_notify('gw_policy', '')`);
    });
    this.keys.keysChanged(null);
    await this.models.readPolicy();
    return purged;
  }
}
