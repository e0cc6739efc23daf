import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Changes } from '../changes/changes.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { withStallTolerantTimeout } from '../database/stall-tolerant-timeout.js';
import { Outage } from '../quota/outage.service.js';
import { KeyReads, type ReadKey } from './stores/api-key.store.js';

const KEYS_MAX = 100_000;
/** Apart from the known ones, so that made-up keys push none of those out. */
const UNKNOWN_MAX = 20_000;
/** Of the 2 s that a request may wait in all for a database that hangs (D22). */
const LOAD_TIMEOUT_MS = 1500;
const OUTDATED = -1;
const late = () => new Error(`a key was not read within ${LOAD_TIMEOUT_MS} ms`);
const AWAY = new Error('the database is away');

interface Known {
  readonly key: KeySnapshot;
  /** Lower than the cache's: to be read anew, and served only where the database cannot be asked. */
  readonly generation: number;
}

/** A read under way, and the one that those wait for who came too late for it. */
interface Loading {
  current: Promise<KeySnapshot | null>;
  next: Promise<KeySnapshot | null> | null;
}

/**
 * Keys by the SHA-256 of their secret, as this process last read them. Fresh, not exact: who decides by a snapshot asks
 * admission for its version, and reads a stale one anew, by the hash that the caller presented (D3). While the database is
 * away what was last read is what counts (D22), so a key that was changed is read anew at once, asked for or not; one that
 * admission has called stale is not known until it is read.
 */
@Injectable()
export class KeyCache {
  private readonly hashes = new Map<string, string>();
  private readonly known = new LRUCache<string, Known>({
    max: KEYS_MAX,
    dispose: ({ key }, _hash, reason) => {
      if (reason === 'evict') this.drop(key);
    },
  });
  private readonly unknown = new LRUCache<string, true>({ max: UNKNOWN_MAX });
  private readonly loading = new Map<string, Loading>();
  /** Counts the invalidations: what was read across one is used, since admission judges it, and read anew the next time. */
  private epoch = 0;
  private generation = 0;

  constructor(
    private readonly reads: KeyReads,
    changes: Changes,
    private readonly outage: Outage,
  ) {
    changes.subscribe('key', (id) => this.keysChanged(id === null ? null : [id]));
  }

  /** What is known here; null: there is no such key; undefined: has to be loaded. */
  find(hash: string): KeySnapshot | null | undefined {
    const known = this.known.get(hash);
    if (known !== undefined && known.generation === this.generation) return known.key;
    // In an outage no well-formed key is called wrong (D22).
    return this.unknown.get(hash) === true && !this.outage.away ? null : undefined;
  }

  /**
   * Reads the key, once for all who ask at the same time. Null: there is no such key. Where it cannot be read within 1.5 s,
   * or the database is known to be away, it is as it was last read.
   * @throws GatewayError `service_unavailable` where it never was
   */
  load(hash: string): Promise<KeySnapshot | null> {
    // Nobody waits for what is known to be away (D22).
    if (this.outage.away) return new Promise((resolve) => resolve(this.lastRead(hash, AWAY)));
    return this.loading.get(hash)?.current ?? this.start(hash);
  }

  /**
   * Like `load`, by a read that begins after this call; what was cached for the hash is forgotten.
   * @throws GatewayError `service_unavailable` after 1.5 s, the read under way before it included
   */
  reload(hash: string): Promise<KeySnapshot | null> {
    this.forget(hash);
    return withStallTolerantTimeout(LOAD_TIMEOUT_MS, this.readAnew(hash), () => serviceUnavailable(late()));
  }

  /**
   * The change of these keys is committed: the cached ones are read again. A trigger raised their versions in the same
   * transaction, so admission already rejects the old state on every instance.
   * @param ids null: any key may have changed, so each is read again when it is asked for
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
      void this.readAnew(hash).catch(() => undefined);
    }
  }

  /** By a read that begins after this call. */
  private readAnew(hash: string): Promise<KeySnapshot | null> {
    const loading = this.loading.get(hash);
    if (loading === undefined) return this.start(hash);
    const again = () => this.start(hash);
    return (loading.next ??= loading.current.then(again, again));
  }

  private noSuchKey(hash: string): void {
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
          if (read === null) this.noSuchKey(hash);
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
    return withStallTolerantTimeout(LOAD_TIMEOUT_MS, this.reads.read(hash), late);
  }

  private keep(hash: string, { key, counts }: ReadKey, generation: number): void {
    const before = this.hashes.get(key.id);
    // A rotated key's old secret, whose notice has not come yet.
    if (before !== undefined && before !== hash) this.known.delete(before);
    this.known.set(hash, { key, generation });
    this.hashes.set(key.id, hash);
    this.outage.learn(key.id, counts);
  }
}
