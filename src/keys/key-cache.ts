import { Injectable } from '@nestjs/common';
import { Changes } from '../changes/changes.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { KeySnapshot } from '../request-context/key-snapshot.js';
import { LruMap } from './lru-map.js';
import { ApiKeyStore } from './stores/api-key.store.js';

const KEYS_MAX = 100_000;
/** Apart from the known ones, so that made-up keys push none of those out. */
const UNKNOWN_MAX = 20_000;
/** Of the 2 s that a request may wait in all for a database that hangs (D22). */
const LOAD_TIMEOUT_MS = 1500;

/** A read under way, and the one that those wait for who came too late for it. */
interface Loading {
  current: Promise<KeySnapshot | null>;
  next: Promise<KeySnapshot | null> | null;
}

/**
 * Keys by the SHA-256 of their secret, as this process last read them. Fresh, not exact: who decides by a snapshot asks
 * admission for its version, and reads a stale one anew, by the hash that the caller presented (D3).
 */
@Injectable()
export class KeyCache {
  private readonly hashes = new Map<string, string>();
  private readonly known = new LruMap<string, KeySnapshot>(KEYS_MAX, (_hash, key) => this.hashes.delete(key.id));
  private readonly unknown = new LruMap<string, true>(UNKNOWN_MAX);
  private readonly loading = new Map<string, Loading>();
  /** Counts the invalidations: what was read across one is used, since admission judges it, but not kept. */
  private epoch = 0;

  constructor(
    private readonly store: ApiKeyStore,
    changes: Changes,
  ) {
    changes.subscribe('key', (id) => this.invalidate(id));
  }

  /** What is known here; null: there is no such key; undefined: has to be loaded. */
  find(hash: string): KeySnapshot | null | undefined {
    return this.known.get(hash) ?? (this.unknown.has(hash) ? null : undefined);
  }

  /**
   * Reads the key, once for all who ask at the same time. Null: there is no such key.
   * @throws GatewayError `service_unavailable` when the database does not answer within 1.5 s
   */
  load(hash: string): Promise<KeySnapshot | null> {
    return this.loading.get(hash)?.current ?? this.start(hash);
  }

  /** Like `load`, by a read that begins after this call; what was cached for the hash is forgotten. */
  reload(hash: string): Promise<KeySnapshot | null> {
    this.forget(hash);
    const loading = this.loading.get(hash);
    if (loading === undefined) return this.start(hash);
    const again = () => this.start(hash);
    return (loading.next ??= loading.current.then(again, again));
  }

  /** Forgets a key that has changed; null: all of them. */
  invalidate(id: string | null): void {
    this.epoch++;
    if (id === null) {
      this.known.clear();
      this.unknown.clear();
      this.hashes.clear();
      return;
    }
    const hash = this.hashes.get(id);
    if (hash !== undefined) this.forget(hash);
  }

  private forget(hash: string): void {
    const key = this.known.get(hash);
    if (key === undefined) return;
    this.known.delete(hash);
    this.hashes.delete(key.id);
  }

  private start(hash: string): Promise<KeySnapshot | null> {
    const epoch = this.epoch;
    const loading: Loading = {
      current: this.read(hash).then(
        (key) => {
          this.finish(hash, loading);
          if (key === null) this.unknown.set(hash, true);
          else if (epoch === this.epoch) this.keep(hash, key);
          return key;
        },
        (error: unknown) => {
          this.finish(hash, loading);
          throw serviceUnavailable(error);
        },
      ),
      next: null,
    };
    this.loading.set(hash, loading);
    return loading.current;
  }

  private finish(hash: string, loading: Loading): void {
    if (this.loading.get(hash) === loading) this.loading.delete(hash);
  }

  private async read(hash: string): Promise<KeySnapshot | null> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`a key was not read within ${LOAD_TIMEOUT_MS} ms`)), LOAD_TIMEOUT_MS);
    });
    try {
      return await Promise.race([this.store.snapshotByHash(hash), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  private keep(hash: string, key: KeySnapshot): void {
    const before = this.hashes.get(key.id);
    // A rotated key's old secret, whose notice has not come yet.
    if (before !== undefined && before !== hash) this.known.delete(before);
    this.known.set(hash, key);
    this.hashes.set(key.id, hash);
  }
}
