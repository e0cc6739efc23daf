import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Changes } from '../changes/changes.js';
import { Transactions } from '../database/transactions.js';
import type { AdminActor } from '../request-context/admin-actor.js';
import { FreshRun } from './fresh-run.js';
import type { ModelPolicy } from './stores/model-policy.entity.js';
import { PolicyStore } from './stores/policy.store.js';

const RETRY_MS = 500;

/**
 * Which models the operators allow or block, whatever the registry thinks of them. Each process holds all rows in memory:
 * a change holds here when the call resolves, in every other process within a second (D3). A process that cannot read the
 * table goes on by what it last read, and tries again each half second.
 */
@Injectable()
export class PolicyService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PolicyService.name);
  private readonly reload = new FreshRun(() => this.read());
  private readonly firstRead = Promise.withResolvers<void>();
  private readonly listeners: (() => void)[] = [];
  private rows: ReadonlyMap<string, boolean> | null = null;
  private failing = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly store: PolicyStore,
    private readonly changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.subscribe('policy', () => void this.reload.ask());
    // Not waited for: a start without database must not hang.
    void this.reload.ask();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  /** The table has been read at least once. */
  get known(): boolean {
    return this.rows !== null;
  }

  get whenKnown(): Promise<void> {
    return this.firstRead.promise;
  }

  /** true: allowed, false: blocked, undefined: no row, or nothing known yet. */
  of(model: string): boolean | undefined {
    return this.rows?.get(model);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Allows or blocks a model, whether or not the catalog lists it; replaces the row that is there.
   * @param model 1 to 200 characters
   * @param note null: none
   */
  async set(model: string, enabled: boolean, note: string | null, actor: AdminActor): Promise<ModelPolicy> {
    const row = await this.transactions.run(async (transaction) => {
      const before = await this.store.lock(transaction, model);
      const metadata = { changes: changesOf(before, { enabled, note }) };
      await this.audit.write(transaction, {
        action: 'model_policy.set',
        actor,
        targetType: 'model',
        targetId: model,
        metadata,
      });
      return this.store.put(transaction, { model, enabled, note, updatedBy: actor.id ?? actor.type });
    });
    await this.reload.ask();
    return row;
  }

  /** Takes the row away: the model goes by registry and catalog again. False: there was none. */
  async remove(model: string, actor: AdminActor): Promise<boolean> {
    const removed = await this.transactions.run(async (transaction) => {
      const before = await this.store.lock(transaction, model);
      if (before === null) return false;
      const metadata = { changes: changesOf(before, { enabled: null, note: null }) };
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
    await this.reload.ask();
    return removed;
  }

  private async read(): Promise<void> {
    try {
      this.take(await this.store.all());
      if (this.failing) this.logger.log('the model policy can be read again');
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`the model policy cannot be read: ${String(error)}`);
      this.failing = true;
      clearTimeout(this.retry);
      if (!this.stopped) this.retry = setTimeout(() => void this.reload.ask(), RETRY_MS).unref();
    }
  }

  private take(rows: ReadonlyMap<string, boolean>): void {
    const before = this.rows;
    this.rows = rows;
    this.firstRead.resolve();
    // Most reads follow a notice that may have been missed and find nothing new: what others derived stays good then.
    const same = before?.size === rows.size && [...rows].every(([model, enabled]) => before.get(model) === enabled);
    if (!same) for (const listener of this.listeners) listener();
  }
}

type Values = { readonly [K in 'enabled' | 'note']: ModelPolicy[K] | null };

function changesOf(before: Values | null, values: Values): Record<string, { old: unknown; new: unknown }> {
  const names = ['enabled', 'note'] as const;
  const changed = names.filter((name) => (before?.[name] ?? null) !== values[name]);
  return Object.fromEntries(changed.map((name) => [name, { old: before?.[name] ?? null, new: values[name] }]));
}
