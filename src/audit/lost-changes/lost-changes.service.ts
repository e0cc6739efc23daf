import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CachedTable } from '../../platform/changes/cached-table.js';
import { Changes, type DatabaseQuery } from '../../platform/changes/changes.js';
import { Config } from '../../platform/config/config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Outbox } from '../events/outbox.js';
import { AuditTail, newestKeys } from './audit-tail.js';
import { LostChangeStore } from './lost-change.store.js';
import { describeChange, policyOf, type LostChange, type RememberedChange, type RememberedKey } from './lost-change.js';

const NAMED_IN_LOG_MAX = 20;
const NAMED_IN_EVENT_MAX = 100;

/**
 * Changes that this gateway has seen, and that the database no longer has. They are reported, and revoked, suspended and rotated keys
 * and blocked models stay so until an operator decides (ADR 0052). Processes share what they remember through `lost_changes`.
 */
@Injectable()
export class LostChanges extends CachedTable<LostChange> implements OnModuleInit {
  private readonly logger = new Logger('Database');
  private readonly tail = new AuditTail((lost) => this.found(lost));
  /** Not in `lost_changes` yet. */
  private unstored: readonly RememberedChange[] = [];
  private readonly enforces: boolean;
  private keys: ReadonlyMap<string, RememberedKey> = new Map();
  private idsByHash: ReadonlyMap<string, string> = new Map();
  private blocked: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly store: LostChangeStore,
    private readonly source: Changes,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    { lostChanges }: Config,
  ) {
    const same = (a: LostChange, b: LostChange) => a.decision === b.decision;
    super(source, { name: 'lost changes', table: 'lost_changes', load: () => store.all(), same });
    this.enforces = lostChanges === 'enforce';
    this.onChange(() => this.index());
  }

  onModuleInit(): void {
    this.source.addPoll({
      connected: (query) => this.tail.compareAfterConnecting(query),
      poll: (query) => this.poll(query),
    });
  }

  /** The number of changes about which no operator has decided. */
  get undecided(): number {
    return this.waiting().length;
  }

  /** The state of a key that applies instead of the one in the database with this version; undefined if the latter applies. */
  keyInsteadOf(id: string, version: number): RememberedKey | undefined {
    if (!this.enforces) return undefined;
    const key = [this.tail.keyOf(id), this.keys.get(id)].find(
      (state) => state !== undefined && state.version > version,
    );
    return key;
  }

  /** The ID of a key whose lost raw key has this hash. Whether it applies depends on `keyInsteadOf`. */
  keyIdOf(hash: string): string | undefined {
    return this.enforces ? (this.tail.idOfHash(hash) ?? this.idsByHash.get(hash)) : undefined;
  }

  /** Models whose block the database has lost, with its time in ms since 1970. A newer policy in the database replaces it. */
  get blockedModels(): ReadonlyMap<string, number> {
    return this.enforces ? this.blocked : new Map();
  }

  private async poll(query: DatabaseQuery): Promise<void> {
    await this.tail.read(query);
    if (this.unstored.length > 0) await this.storeFound();
  }

  private found(lost: readonly RememberedChange[]): void {
    const shown = lost.slice(0, NAMED_IN_LOG_MAX).map(describeChange).join(', ');
    const more = lost.length > NAMED_IN_LOG_MAX ? `, and ${lost.length - NAMED_IN_LOG_MAX} more` : '';
    this.logger.error(`The database has lost ${lost.length} changes: ${shown}${more}`);
    this.unstored = [...this.unstored, ...lost];
    this.index();
    this.notify();
  }

  private async storeFound(): Promise<void> {
    const changes = this.unstored;
    await this.transactions.run(async (transaction) => {
      const added = await this.store.insert(transaction, changes);
      const own = changes.filter(({ id }) => added.has(id));
      if (own.length > 0) await this.outbox.publishAll(transaction, [{ type: 'changes_lost', data: dataOf(own) }]);
    });
    await this.refresh();
    this.unstored = this.unstored.filter((change) => !changes.includes(change));
    this.index();
  }

  private waiting(): RememberedChange[] {
    const stored = [...this.all.values()].filter(({ decision }) => decision === null);
    return [...stored, ...this.unstored.filter(({ id }) => this.of(id) === undefined)];
  }

  private index(): void {
    const waiting = this.waiting();
    this.keys = newestKeys(waiting);
    this.idsByHash = new Map([...this.keys].map(([id, { keyHash }]) => [keyHash, id]));
    const blocked = new Map<string, number>();
    for (const change of waiting)
      if (policyOf(change)?.enabled === false && change.targetId !== null)
        blocked.set(change.targetId, Math.max(blocked.get(change.targetId) ?? 0, Date.parse(change.at)));
    this.blocked = blocked;
  }
}

const dataOf = (changes: readonly RememberedChange[]) => ({
  count: changes.length,
  changes: changes.slice(0, NAMED_IN_EVENT_MAX).map(({ id, at, action, targetType, targetId, targetName }) => ({
    id,
    at: new Date(at).toISOString(),
    action,
    target_type: targetType,
    target_id: targetId,
    target_name: targetName,
  })),
});
