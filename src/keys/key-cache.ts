import { Injectable } from '@nestjs/common';
import { Changes } from '../platform/changes/changes.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import { withStallTolerantTimeout } from '../platform/database/stall-tolerant-timeout.js';
import { Outage } from '../quota/outage.service.js';
import { KeyReads, type ReadKey } from './stores/api-key.store.js';
import { LruCache } from '../platform/fairness/lru-cache.js';

const KEYS_MAX = 100_000;
/** Cached separately, so that invented keys do not evict known ones. */
const UNKNOWN_MAX = 20_000;
/** An entry can come from a server that is no longer the primary, so that no notification ever corrects it. */
const UNKNOWN_MS_MAX = 5000;
/** A part of the 2 s that a request waits for a hanging database (D22). */
const LOAD_TIMEOUT_MS = 1500;
const OUTDATED = -1;
const timeoutError = () => new Error(`The database did not return the key within ${LOAD_TIMEOUT_MS} ms`);
const UNAVAILABLE = new Error('The database is unavailable');

interface Known {
  readonly key: KeySnapshot;
  /** An entry of an earlier generation is read again. It is used only while that is impossible. */
  readonly generation: number;
}

/** Callers that need a later read than `current` wait for `next`. */
interface Loading {
  current: Promise<KeySnapshot | null>;
  next: Promise<KeySnapshot | null> | null;
}

/**
 * Caches keys by the SHA-256 of the raw key. Entries can be outdated, because admission checks their version (D3). During an
 * outage, the last read is used (D22). A changed key is therefore read again immediately, even without a request.
 */
@Injectable()
export class KeyCache {
  private readonly hashes = new Map<string, string>();
  private readonly known = new LruCache<string, Known>(KEYS_MAX, { onEvicted: ({ key }) => this.drop(key) });
  private readonly unknown = new LruCache<string, true>(UNKNOWN_MAX, { ttl: UNKNOWN_MS_MAX });
  private readonly loading = new Map<string, Loading>();
  /** Counts invalidations. A key that was read during one is used, because admission checks it, but is read again next time. */
  private epoch = 0;
  private generation = 0;

  constructor(
    private readonly reads: KeyReads,
    changes: Changes,
    private readonly outage: Outage,
  ) {
    changes.subscribe('key', (id) => this.keysChanged(id === null ? null : [id]));
  }

  /** Returns null if no key has this hash, or undefined if the key must be loaded. */
  find(hash: string): KeySnapshot | null | undefined {
    const known = this.known.get(hash);
    if (known !== undefined && known.generation === this.generation) return known.key;
    // During an outage, no well-formed key is rejected as invalid (D22).
    return this.unknown.get(hash) === true && !this.outage.isActive ? null : undefined;
  }

  /**
   * Reads a key. If that takes 1.5 s, or during a known outage, returns the key as it was last read.
   * @throws GatewayError `service_unavailable` if the key cannot be read and is not cached
   */
  load(hash: string): Promise<KeySnapshot | null> {
    if (this.outage.isActive) return new Promise((resolve) => resolve(this.lastRead(hash, UNAVAILABLE)));
    return this.loading.get(hash)?.current ?? this.start(hash);
  }

  /**
   * Drops the cached key and reads it again. The read starts after this call.
   * @throws GatewayError `service_unavailable` after 1.5 s, including the wait for an earlier read
   */
  reload(hash: string): Promise<KeySnapshot | null> {
    this.forget(hash);
    return withStallTolerantTimeout(LOAD_TIMEOUT_MS, this.readAgain(hash), () => serviceUnavailable(timeoutError()));
  }

  /**
   * Reads the changed keys among the cached ones again. Admission on every instance already rejects their old state, because a
   * trigger raised their versions.
   * @param ids null if any key can have changed: each one is then read again when it is next requested
   */
  keysChanged(ids: readonly string[] | null): void {
    this.epoch++;
    if (ids === null) {
      this.generation++;
      this.unknown.clear();
      return;
    }
    for (const id of ids) {
      const hash = this.hashes.get(id);
      const known = hash === undefined ? undefined : this.known.get(hash);
      if (hash === undefined || known === undefined) continue;
      this.known.set(hash, { key: known.key, generation: OUTDATED });
      void this.readAgain(hash).catch(() => undefined);
    }
  }

  /** Waits for a read that starts after this call. */
  private readAgain(hash: string): Promise<KeySnapshot | null> {
    const loading = this.loading.get(hash);
    if (loading === undefined) return this.start(hash);
    const again = () => this.start(hash);
    return (loading.next ??= loading.current.then(again, again));
  }

  private markUnknown(hash: string): void {
    this.forget(hash);
    this.unknown.set(hash, true);
  }

  private forget(hash: string): void {
    const known = this.known.get(hash);
    if (known === undefined) return;
    this.known.delete(hash);
    this.drop(known.key);
  }

  private drop(key: KeySnapshot): void {
    this.hashes.delete(key.id);
    this.outage.forget(key.id);
  }

  private start(hash: string): Promise<KeySnapshot | null> {
    const epoch = this.epoch;
    const loading: Loading = {
      current: this.read(hash).then(
        (read) => {
          this.finish(hash, loading);
          if (read === null) this.markUnknown(hash);
          else this.keep(hash, read, epoch === this.epoch ? this.generation : OUTDATED);
          return read?.key ?? null;
        },
        (error: unknown) => {
          this.finish(hash, loading);
          return this.lastRead(hash, error);
        },
      ),
      next: null,
    };
    this.loading.set(hash, loading);
    return loading.current;
  }

  private lastRead(hash: string, cause: unknown): KeySnapshot {
    const known = this.known.get(hash);
    if (known === undefined) throw serviceUnavailable(cause);
    return known.key;
  }

  private finish(hash: string, loading: Loading): void {
    if (this.loading.get(hash) === loading) this.loading.delete(hash);
  }

  private read(hash: string): Promise<ReadKey | null> {
    return withStallTolerantTimeout(LOAD_TIMEOUT_MS, this.reads.read(hash), timeoutError);
  }

  private keep(hash: string, { key, counts }: ReadKey, generation: number): void {
    const before = this.hashes.get(key.id);
    // The key was rotated, and the notification has not arrived yet.
    if (before !== undefined && before !== hash) this.known.delete(before);
    this.known.set(hash, { key, generation });
    this.hashes.set(key.id, hash);
    this.outage.learn(key, counts);
  }
}
