import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { fieldChanges } from '../audit/field-changes.js';
import { Changes } from '../changes/changes.js';
import { Transactions } from '../database/transactions.js';
import type { AdminActor } from '../request-context/admin-actor.js';
import type { ModelPolicy } from './stores/model-policy.entity.js';
import { PolicyStore } from './stores/policy.store.js';
import { TableCopy } from './table-copy.js';

export type { ModelPolicy } from './stores/model-policy.entity.js';

/** What an audit row tells of. */
const FIELDS = { enabled: 'enabled', note: 'note' } as const;

/**
 * Which models the operators allow or block, whatever the registry thinks of them. Each process holds all rows in memory:
 * a change holds here when the call resolves, in every other process within a second (D3). A process that cannot read the
 * table goes on by what it last read, and tries again each half second.
 */
@Injectable()
export class PolicyService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly copy: TableCopy<boolean>;

  constructor(
    private readonly store: PolicyStore,
    private readonly changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {
    const same = (a: boolean, b: boolean) => a === b;
    this.copy = new TableCopy({ name: 'the model policy', load: () => store.all(), same });
  }

  onApplicationBootstrap(): void {
    this.changes.subscribe('policy', () => void this.copy.refresh());
    // Not waited for: a start without database must not hang.
    void this.copy.refresh();
  }

  onModuleDestroy(): void {
    this.copy.stop();
  }

  /** The table has been read at least once. */
  get known(): boolean {
    return this.copy.known;
  }

  get whenKnown(): Promise<void> {
    return this.copy.whenKnown;
  }

  /** true: allowed, false: blocked, undefined: no row, or nothing known yet. */
  of(model: string): boolean | undefined {
    return this.copy.of(model);
  }

  onChange(listener: () => void): void {
    this.copy.onChange(listener);
  }

  /** Every row as the table has it now, by model. */
  async rows(): Promise<ReadonlyMap<string, ModelPolicy>> {
    return new Map((await this.store.list()).map((row) => [row.model, row]));
  }

  /** The row as the table has it now; null: there is none. */
  find(model: string): Promise<ModelPolicy | null> {
    return this.store.find(model);
  }

  /** Reads the table now; by what it last read a process goes on where that fails. */
  refresh(): Promise<void> {
    return this.copy.refresh();
  }

  /**
   * Allows or blocks a model, whether or not the catalog lists it; replaces the row that is there.
   * @param model 1 to 200 characters
   * @param note null: none
   */
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
    this.changes.announce('policy', model);
    await this.copy.refresh();
    return row;
  }

  /** Takes the row away: the model goes by registry and catalog again. False: there was none. */
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
    if (removed) this.changes.announce('policy', model);
    await this.copy.refresh();
    return removed;
  }
}
