import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { CachedTable } from '../../platform/changes/cached-table.js';
import { Changes } from '../../platform/changes/changes.js';
import { Transactions, type Transaction } from '../../platform/database/transactions.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
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
    super(changes, {
      name: 'list of draining upstreams',
      table: 'upstream_drains',
      load: () => store.all(),
      same,
    });
  }

  /** Has no effect on an upstream that is draining. Other processes follow within a second. */
  drain(upstream: string, actor: AdminActor): Promise<void> {
    return this.change('upstream.drained', upstream, actor, (transaction) =>
      this.store.insert(transaction, upstream, actor.id ?? actor.type),
    );
  }

  /** Has no effect on an upstream that is not draining. */
  resume(upstream: string, actor: AdminActor): Promise<void> {
    return this.change('upstream.resumed', upstream, actor, (transaction) => this.store.delete(transaction, upstream));
  }

  /** @param work returns false if nothing has changed, which needs no audit row */
  private async change(
    action: 'upstream.drained' | 'upstream.resumed',
    upstream: string,
    actor: AdminActor,
    work: (transaction: Transaction) => Promise<boolean>,
  ): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await work(transaction))) return;
      await this.audit.write(transaction, { action, actor, targetType: 'upstream', targetId: upstream });
    });
    await this.refresh();
  }
}
