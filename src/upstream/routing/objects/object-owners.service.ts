import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { BatchedReads } from '../../../platform/database/batched-reads.js';
import { withStallTolerantTimeout } from '../../../platform/database/stall-tolerant-timeout.js';
import { ObjectOwnerStore, type OwnedObject, type StoredObject } from '../stores/object-owner.store.js';
import { ObjectWrites } from './object-writes.js';
import { LruCache } from '../../../platform/fairness/lru-cache.js';

const KNOWN_MAX = 40_000;
/** Cached separately, so that invented IDs do not evict known ones. */
const UNKNOWN_MAX = 10_000;
/** Short, because another process might create the object at any time. */
const UNKNOWN_TTL_MS = 1000;
/** Part of the 2 s for which a request can wait for a database that hangs (D22). */
const LOOKUP_TIMEOUT_MS = 1500;
const USE_RECORDED_EVERY_MS = 86_400_000;

interface Owner {
  readonly upstream: string;
  readonly expires: boolean;
  /** The last recorded use, by `performance.now()`. It can be negative. */
  usedAtMs: number;
}

/**
 * Remembers the upstream that created each stored object, so that later requests return to it. All processes share the
 * table. While the database is unavailable, cached objects keep their owner, and other objects have none.
 */
@Injectable()
export class ObjectOwners implements OnModuleDestroy {
  private readonly logger = new Logger('routing');
  private readonly known = new LruCache<string, Owner>(KNOWN_MAX);
  private readonly unknown = new LruCache<string, true>(UNKNOWN_MAX, { ttl: UNKNOWN_TTL_MS });
  private readonly reads = new BatchedReads<StoredObject>((ids) => this.store.read(ids));
  private readonly reading = new Map<string, Promise<StoredObject | null>>();
  private readonly writes: ObjectWrites;
  private failures = 0;

  constructor(private readonly store: ObjectOwnerStore) {
    this.writes = new ObjectWrites(store, {
      kept: (objects) => this.keep(objects),
      failed: (error) => this.logger.warn(`Owners of stored objects cannot be written: ${error.message}`),
      recovered: () => this.logger.log('Owners of stored objects can be written again'),
    });
  }

  /** Lookups without a result from the database. */
  get failedLookups(): number {
    return this.failures;
  }

  /** Changes that are not written yet. */
  get unwritten(): number {
    return this.writes.size;
  }

  /** Changes that were dropped because the queue was full. */
  get dropped(): number {
    return this.writes.dropped;
  }

  /**
   * Returns the upstream that created the first of these objects that has an owner, or null. It is returned immediately if the
   * cache decides. Otherwise one query reads the IDs. If it fails or takes 1.5 s, only the cache is used. Never rejects.
   * @param ids at most 64, in the order of `objectsNamedBy`: the first one with an owner decides
   */
  ownerOf(ids: readonly string[]): string | null | Promise<string | null> {
    for (const id of ids) {
      const owner = this.known.get(id);
      if (owner !== undefined) return this.use(id, owner);
      if (this.unknown.get(id) === undefined) return this.lookUp(ids);
    }
    return null;
  }

  /** Returns the IDs that are not known to belong to this upstream, or whose row is not committed yet. */
  unrecorded(ids: readonly string[], upstream: string): string[] {
    return ids.filter((id) => this.known.peek(id)?.upstream !== upstream || this.writes.has(id));
  }

  /**
   * Caches the owner of these objects, and resolves when the rows are committed or could not be written, at most 1.5 s later.
   * Rows that could not be written are retried every second. Never rejects.
   * @param expires the rows are deleted after 90 days without use
   */
  record(ids: readonly string[], upstream: string, expires: boolean): Promise<void> {
    const unrecorded = this.unrecorded(ids, upstream);
    if (unrecorded.length === 0) return Promise.resolve();
    for (const id of unrecorded) {
      if (this.known.peek(id) !== undefined) continue;
      this.known.set(id, { upstream, expires, usedAtMs: performance.now() });
      this.writes.add(id, { id, upstream, expires });
    }
    return this.writes.settled();
  }

  /**
   * Removes the owner of a deleted object. Its row is deleted in the background. Other processes might still have the owner
   * cached.
   */
  forget(id: string): void {
    this.known.delete(id);
    this.writes.add(id, null);
  }

  /** Waits at most 3 s for rows that are not written yet. */
  async onModuleDestroy(): Promise<void> {
    const left = await this.writes.stop();
    if (left > 0) this.logger.error(`Not written at shutdown: the owners of ${left} stored objects`);
  }

  /** Reads the owners that are not cached. @returns the upstream of the first owner, or null */
  private async lookUp(ids: readonly string[]): Promise<string | null> {
    const missing = ids.filter((id) => !this.known.has(id) && !this.unknown.has(id));
    const rows = Promise.all(missing.map((id) => this.read(id)));
    try {
      await withStallTolerantTimeout(LOOKUP_TIMEOUT_MS, rows, lookupTimeout);
    } catch {
      this.failures += 1;
    }
    for (const id of ids) {
      const owner = this.known.get(id);
      if (owner !== undefined) return this.use(id, owner);
    }
    return null;
  }

  /** Caches the result. Requests that look up the same ID share a read. */
  private read(id: string): Promise<StoredObject | null> {
    let read = this.reading.get(id);
    if (read === undefined) {
      read = this.reads
        .read(id)
        .then((row) => this.cache(id, row))
        .finally(() => this.reading.delete(id));
      this.reading.set(id, read);
    }
    return read;
  }

  private cache(id: string, row: StoredObject | null): StoredObject | null {
    // The owner was recorded during the read, and takes precedence over the row.
    if (this.known.has(id)) return row;
    if (row === null) this.unknown.set(id, true);
    else this.known.set(id, { ...row, usedAtMs: performance.now() - row.unusedMs });
    return row;
  }

  /** Records the use of an object that expires, once a day. @returns the owner's upstream */
  private use(id: string, owner: Owner): string {
    const { upstream, expires } = owner;
    const nowMs = performance.now();
    if (expires && nowMs - owner.usedAtMs > USE_RECORDED_EVERY_MS) {
      owner.usedAtMs = nowMs;
      this.writes.add(id, { id, upstream, expires });
    }
    return upstream;
  }

  /** Another process has recorded these objects first, so their stored owner replaces the cached one. */
  private keep(objects: readonly Pick<OwnedObject, 'id' | 'upstream'>[]): void {
    for (const { id, upstream } of objects) {
      const known = this.known.peek(id);
      if (known !== undefined) this.known.set(id, { ...known, upstream });
    }
  }
}

const lookupTimeout = () => new Error(`The database did not return the owners within ${LOOKUP_TIMEOUT_MS} ms`);
