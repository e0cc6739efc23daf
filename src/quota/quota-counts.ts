/** Calendar windows, numbered as in `windows.ts`. */
interface Windows {
  readonly minute: number;
  readonly day: number;
  readonly month: number;
}

/** Counts of a key as the store holds them at one instant of its own clock. */
export interface StoredCounts extends Windows {
  readonly version: number;
  /** Milliseconds since 1970, read after the key's row was locked. */
  readonly nowMs: number;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  readonly monthUsed: number;
  /** Recorded this month. */
  readonly tokens: number;
}

/** One key of a batch: `count` requests that wait for it. */
export interface AdmitEntry {
  readonly keyId: string;
  /** Version of the key that the caller holds. If it is current, so are the limits. */
  readonly version: number;
  /** At least 1. */
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

/** Requests of one key, by the windows in which they count. A negative number: the store has counted too many. */
export interface KeyCounts extends Windows {
  readonly keyId: string;
  readonly minuteCount: number;
  readonly dayCount: number;
  readonly monthCount: number;
}

/** `count` requests that all fall into the same windows. */
export function requestsIn({ minute, day, month }: Windows, keyId: string, count: number): KeyCounts {
  return { keyId, minute, minuteCount: count, day, dayCount: count, month, monthCount: count };
}
