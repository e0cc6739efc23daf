import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Changes } from '../../platform/changes/changes.js';
import { RetriedRead } from '../../platform/changes/retried-read.js';
import { LimitIndex } from './limit-index.js';
import { LimitSetStore } from './stores/limit-set.store.js';

/**
 * All enabled limits, in the memory of each process. Every admission compares the version, so a process cannot overlook a new or
 * deleted limit: it gets `stale-limits`, refreshes and retries. While the database is unavailable, the set that was read last stays
 * in use, and the read is retried every 0.5 s.
 */
@Injectable()
export class LimitSet extends LimitIndex implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reads = new RetriedRead({
    name: 'limits',
    logger: new Logger(LimitSet.name),
    read: () => this.read(),
  });

  constructor(
    private readonly store: LimitSetStore,
    private readonly changes: Changes,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.changes.subscribe('tables', () => void this.refresh());
    // Not awaited, because startup without a database must not hang.
    void this.refresh();
  }

  onModuleDestroy(): void {
    this.reads.stop();
  }

  /** Resolves after a read that began after this call. Never rejects. */
  refresh(): Promise<void> {
    return this.reads.refresh();
  }

  private async read(): Promise<void> {
    const changes = await this.store.changesSince(this.version);
    if (changes === null) return;
    this.apply(changes);
    if (changes.complete || this.size === changes.total) return;
    // Rows were deleted with SQL, or limits have ended.
    const all = await this.store.changesSince(-1);
    if (all !== null) this.apply(all);
  }
}
