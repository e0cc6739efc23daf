import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Changes } from '../../platform/changes/changes.js';
import { RetriedRead } from '../../platform/changes/cached-table.js';
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

  /** `Changes.connections` at the last read. */
  private readSince: number | null = null;

  constructor(
    private readonly store: LimitSetStore,
    private readonly changes: Changes,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.reads.start(this.changes);
  }

  onModuleDestroy(): void {
    this.reads.stop();
  }

  /** Resolves after a read that began after this call. Never rejects. */
  refresh(): Promise<void> {
    return this.reads.refresh();
  }

  private async read(): Promise<void> {
    // Another server can have changes with lower versions than those that this process has read.
    const { connections } = this.changes;
    const known = connections === this.readSince ? this.version : -1;
    const changes = await this.store.changesSince(known);
    this.readSince = connections;
    if (changes === null) return;
    this.apply(changes);
    if (changes.complete || this.size === changes.total) return;
    // Rows were deleted with SQL, or limits have ended.
    const all = await this.store.changesSince(-1);
    if (all !== null) this.apply(all);
  }
}
