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

/** What the store knows of a key at one instant of its own clock. Windows are numbered as in `windows.ts`. */
export interface StoredCounts {
  readonly version: number;
  /** Milliseconds since 1970, read after the key's row was locked. */
  readonly nowMs: number;
  readonly minute: number;
  readonly minuteUsed: number;
  readonly day: number;
  readonly dayUsed: number;
  readonly month: number;
  readonly monthUsed: number;
  /** Recorded this month. */
  readonly tokens: number;
}

/** Counts are those before the batch; the first `granted` of its requests pass. */
export type AdmitAnswer =
  | { readonly kind: 'decided'; readonly granted: number; readonly counts: StoredCounts }
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'unknown' };

/**
 * Where the counts of all processes meet. One adapter: PostgreSQL; the contract suite in test/contract holds for any other.
 * Both methods throw when the store cannot be asked or does not answer in time; `admit` then has settled, or will settle
 * before its next call, what became of the batch: none of its requests stays counted.
 */
export abstract class QuotaStore {
  /**
   * Counts and decides, all windows of a key in one atomic step. Each key at most once, at most 200 keys. One call at a time.
   * A key whose row is held by others for too long is not in the answer: nothing was counted for it.
   */
  abstract admit(entries: readonly AdmitEntry[]): Promise<ReadonlyMap<string, AdmitAnswer>>;
  /** Reads without counting or locking. A key that has no row is not in the answer. */
  abstract look(keyIds: readonly string[]): Promise<ReadonlyMap<string, StoredCounts>>;
}
