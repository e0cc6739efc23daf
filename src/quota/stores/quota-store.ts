import type { StoredCounts } from '../stored-counts.js';

/** One key of a batch: `count` requests that wait for it. */
export interface AdmitEntry {
  readonly keyId: string;
  /** Version of the key that the asker holds; an equal one proves the limits current. */
  readonly version: number;
  /** Requests that wait, at least 1. */
  readonly count: number;
  readonly rpmLimit: number;
  readonly rpdLimit: number;
  /** null: unlimited. */
  readonly monthlyLimit: number | null;
  readonly monthlyTokenLimit: number | null;
}

/** Counts are those before the batch; the first `granted` of its requests pass. */
export type AdmitAnswer =
  | { readonly kind: 'decided'; readonly granted: number; readonly counts: StoredCounts }
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'unknown' };

/** Requests of one key, by the windows in which they count. Negative: too much was stored. */
export interface KeyCounts {
  readonly keyId: string;
  readonly minute: number;
  readonly minuteCount: number;
  readonly day: number;
  readonly dayCount: number;
  readonly month: number;
  readonly monthCount: number;
}

/** The store cannot be asked, or has not answered in time: nobody knows what it holds. */
export class QuotaStoreAway extends Error {}

/**
 * Where the counts of all processes meet. Two adapters: PostgreSQL, and Redis in front of it; the contract suite in
 * test/contract holds for both.
 * `admit` and `look` throw `QuotaStoreAway` when the store cannot be asked or does not answer in time: within `withinMs`
 * milliseconds in which this process was awake, 1350 at most and by default. Any other error comes of a store that is there
 * (a time limit of its own) and is no outage. However it fails, `admit` has settled, or will settle before its next call,
 * what became of the batch: none of its requests stays counted.
 */
export abstract class QuotaStore {
  /**
   * Counts and decides, all windows of a key in one atomic step. Each key at most once, at most 200 keys. One call at a time.
   * A key whose row is held by others for too long is not in the answer: nothing was counted for it.
   */
  abstract admit(entries: readonly AdmitEntry[], withinMs?: number): Promise<ReadonlyMap<string, AdmitAnswer>>;
  /** Reads without counting or locking. A key that has no row is not in the answer. */
  abstract look(keyIds: readonly string[], withinMs?: number): Promise<ReadonlyMap<string, StoredCounts>>;
  /**
   * Takes note of requests that were served without asking, at once and without fail. They are stored exactly once: as soon
   * as the store can be asked again, without a further call. A window that is over by then is left out.
   */
  abstract owe(served: KeyCounts): void;
  /** Requests of `owe` that are not stored yet. */
  abstract get owed(): number;
  /** Requests that were granted and are being stored, or may lack: a stop waits for them too. */
  get inDoubt(): number {
    return 0;
  }
  /** Whether any of what is owed is of this key. */
  abstract owes(keyId: string): boolean;
  /**
   * Since when the store is known to be away, by `performance.now()`; asking would fail. Null: it may be asked. A store that
   * hangs is found out within some seconds even where nobody asks.
   */
  abstract get awaySinceMs(): number | null;

  /**
   * Keys were changed or reset, and it is committed. Resolves, never rejects, when no process admits by what was before (D3).
   * Nothing to do where the change itself was made in the rows that decide.
   */
  async raise(keyIds: readonly string[]): Promise<void> {
    void keyIds;
  }

  /** Tokens of the key were used: they will be recorded in a moment. */
  spent(keyId: string): void {
    void keyId;
  }
}
