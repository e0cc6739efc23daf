import { Injectable } from '@nestjs/common';
import { AuditLog, fieldChanges } from '../audit/audit-log.js';
import { LostChanges } from '../audit/lost-changes/lost-changes.service.js';
import type { CachedRows } from '../platform/changes/change-polls.js';
import { Changes } from '../platform/changes/changes.js';
import { Transactions } from '../platform/database/transactions.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import type { ModelPolicy } from './stores/model-policy.entity.js';
import { PolicyStore, type CurrentPolicy } from './stores/policy.store.js';
import { CachedTable } from '../platform/changes/cached-table.js';

export type { ModelPolicy } from './stores/model-policy.entity.js';

const FIELDS = { enabled: 'enabled', note: 'note' } as const;

/** The model policy: the models that operators allow (true) or block (false), regardless of the registry. */
@Injectable()
export class PolicyService extends CachedTable<boolean> {
  constructor(
    private readonly store: PolicyStore,
    changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    lost: LostChanges,
  ) {
    const same = (a: boolean, b: boolean) => a === b;
    const load = async () => appliedPolicies(await store.all(), lost.blockedModels);
    super(changes, { name: 'model policy', table: 'model_policies', load, same });
    lost.onChange(() => void this.refresh());
  }

  async rows(): Promise<ReadonlyMap<string, ModelPolicy>> {
    return new Map((await this.store.list()).map((row) => [row.model, row]));
  }

  find(model: string): Promise<ModelPolicy | null> {
    return this.store.find(model);
  }

  /** Replaces an existing row and its note. The catalog does not have to list the model. */
  async set(model: string, enabled: boolean, note: string | null, actor: AdminActor): Promise<ModelPolicy> {
    const row = await this.transactions.run(async (transaction) => {
      const before = await this.store.lock(transaction, model);
      const metadata = { changes: fieldChanges(FIELDS, before, { enabled, note }) };
      await this.audit.write(transaction, {
        action: 'model_policy.set',
        actor,
        targetType: 'model',
        targetId: model,
        metadata,
      });
      return this.store.put(transaction, { model, enabled, note, updatedBy: actor.id ?? actor.type });
    });
    await this.refresh();
    return row;
  }

  /** Removes the policy of a model, so that registry and catalog status apply. Returns false without a row. */
  async remove(model: string, actor: AdminActor): Promise<boolean> {
    const removed = await this.transactions.run(async (transaction) => {
      const before = await this.store.lock(transaction, model);
      if (before === null) return false;
      const metadata = { changes: fieldChanges(FIELDS, before, null) };
      await this.audit.write(transaction, {
        action: 'model_policy.deleted',
        actor,
        targetType: 'model',
        targetId: model,
        metadata,
      });
      await this.store.delete(transaction, model);
      return true;
    });
    await this.refresh();
    return removed;
  }
}

/** @param blocked when the database has lost the block of a model. A later policy of the model replaces it */
function appliedPolicies(
  { fingerprint, rows }: CachedRows<CurrentPolicy>,
  blocked: ReadonlyMap<string, number>,
): CachedRows<boolean> {
  const applied = new Map(Array.from(rows, ([model, { enabled }]) => [model, enabled]));
  for (const [model, atMs] of blocked) {
    const row = rows.get(model);
    if (row === undefined || row.updatedAt.getTime() < atMs) applied.set(model, false);
  }
  return { fingerprint, rows: applied };
}
