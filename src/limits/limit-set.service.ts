import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Changes } from '../changes/changes.js';
import { RetriedRead } from '../changes/retried-read.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import type { ActiveLimit } from './active-limit.js';
import { LimitIndex } from './limit-index.js';
import { LimitSetStore } from './stores/limit-set.store.js';

/**
 * All enabled limits, in the memory of each process. Every admission compares the version, so a process cannot overlook a new or
 * deleted limit: it gets `stale-limits`, refreshes and retries. While the database is unavailable, the set that was read last stays
 * in use, and the read is retried every 0.5 s.
 */
@Injectable()
export class LimitSet implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reads = new RetriedRead({
    ...{ name: 'limits', logger: new Logger(LimitSet.name) },
    read: () => this.read(),
  });
  private readonly index = new LimitIndex();

  constructor(
    private readonly store: LimitSetStore,
    private readonly changes: Changes,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.subscribe('policy', () => void this.refresh());
    // Not awaited, because startup without a database must not hang.
    void this.refresh();
  }

  onModuleDestroy(): void {
    this.reads.stop();
  }

  /** -1 until the first read. */
  get version(): number {
    return this.index.version;
  }

  get isEmpty(): boolean {
    return this.index.size === 0;
  }

  get all(): Iterable<ActiveLimit> {
    return this.index.all;
  }

  byId(id: number): ActiveLimit | undefined {
    return this.index.byId(id);
  }

  /**
   * The limits that apply to a request. Those of the key come first, then those of its tags, its team and the account. In each
   * group, the longest period comes first. A refusal names the first limit that does not fit.
   * @param namesOf returns the models of the request, or null if it can use any; called only if a limit has patterns
   */
  of(key: KeySnapshot, namesOf: () => Iterable<string> | null): readonly ActiveLimit[] {
    return this.index.of(key, namesOf);
  }

  /** Returns the same as `of`, for any model. */
  allOf(key: KeySnapshot): readonly ActiveLimit[] {
    return this.index.allOf(key);
  }

  /** Resolves after a read that began after this call. Never rejects. */
  refresh(): Promise<void> {
    return this.reads.refresh();
  }

  private async read(): Promise<void> {
    const changes = await this.store.changesSince(this.version);
    if (changes === null) return;
    this.index.apply(changes);
    if (changes.complete || this.index.size === changes.total) return;
    // Rows were deleted with SQL, or limits have ended.
    const all = await this.store.changesSince(-1);
    if (all !== null) this.index.apply(all);
  }
}
