import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Changes } from '../changes/changes.js';
import { Transactions } from '../database/transactions.js';
import { CachedTable } from '../changes/cached-table.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { DrainStore, type Drain } from './stores/drain.store.js';

/** The upstreams that operators drain: requests that run finish, and new ones go to other upstreams. */
@Injectable()
export class UpstreamDrains extends CachedTable<Drain> {
  constructor(
    private readonly store: DrainStore,
    changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {
    const same = (a: Drain, b: Drain) => a.createdAt.getTime() === b.createdAt.getTime();
    super(changes, { name: 'list of draining upstreams', load: () => store.all(), same });
  }

  /** Has no effect on an upstream that is draining. Other processes follow within a second. */
  async drain(upstream: string, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await this.store.insert(transaction, upstream, actor.id ?? actor.type))) return;
      await this.audit.write(transaction, {
        action: 'upstream.drained',
        actor,
        targetType: 'upstream',
        targetId: upstream,
      });
    });
    await this.refresh();
  }

  /** Has no effect on an upstream that is not draining. */
  async resume(upstream: string, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await this.store.delete(transaction, upstream))) return;
      await this.audit.write(transaction, {
        action: 'upstream.resumed',
        actor,
        targetType: 'upstream',
        targetId: upstream,
      });
    });
    await this.refresh();
  }
}
