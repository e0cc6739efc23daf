import type { KeySnapshot } from '../platform/request-context/key-snapshot.js';
import type { LastCounts } from './last-counts.js';
import type { LastLimits } from './last-limits.js';
import type { QuotaStore } from './ledger/quota-store.js';

/** A key is known if it was used within this time before the outage (D22). */
export const KNOWN_FOR_MS = 600_000;
/** While the database is available, the counts of known keys and of their limits are read again this often. */
const REFRESH_MS = 1000;
/** Together with the maximum age, this bounds the number of known keys and limits to about 40,000 each. */
const ROWS_PER_REFRESH = 5000;
/** Admission waits about a millisecond for a read of this many rows. */
const ROWS_PER_READ = 200;
/** Finding the limits of a key takes about 4 µs, unless the key and the set are the same as before. */
const SEARCHES_PER_REFRESH = 2000;

/** All limits that can apply to requests of a key. They change only with the key or with the version. */
interface LimitsOfKeys {
  readonly version: number;
  allOf(key: KeySnapshot): readonly { readonly id: number }[];
}

interface FoundLimits {
  readonly version: number;
  readonly limits: ReturnType<LimitsOfKeys['allOf']>;
}

/**
 * Reads the counts of recently used keys and of their limits again, because other processes change them. Otherwise, an idle process
 * would admit requests based on outdated counts when an outage begins.
 */
export class FiguresRefresh {
  private limitsOfKeys: LimitsOfKeys = { version: 0, allOf: () => [] };
  private readonly found = new WeakMap<KeySnapshot, FoundLimits>();
  private timer: NodeJS.Timeout | undefined;
  private running = false;

  constructor(
    private readonly store: QuotaStore,
    private readonly counts: LastCounts,
    private readonly limits: LastLimits,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.run(), REFRESH_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Until this is called, the figures of limits are not read. */
  setLimitsOfKeys(limitsOfKeys: LimitsOfKeys): void {
    this.limitsOfKeys = limitsOfKeys;
  }

  /** Never rejects. @param olderThanMs newer figures are not read */
  async run(olderThanMs = REFRESH_MS / 2): Promise<void> {
    if (this.running || this.store.unavailableSinceMs !== null) return;
    this.running = true;
    try {
      const [keyIds, limitIds] = this.outdated(performance.now(), olderThanMs);
      for (const some of pagesOf(keyIds)) await this.readCounts(some);
      for (const some of pagesOf(limitIds)) await this.readLimits(some);
    } catch {
      // The next request gets the error.
    }
    this.running = false;
  }

  /** Returns the keys and limits to read again, least recently read first, and caches which limits each key has. */
  private outdated(nowMs: number, olderThanMs: number): [keyIds: string[], limitIds: number[]] {
    const beforeMs = nowMs - olderThanMs;
    const keys: { readonly id: string; readonly readAtMs: number }[] = [];
    const limits = new Map<number, { readonly id: number; readonly readAtMs: number }>();
    let searches = 0;
    for (const { key, readAtMs } of this.counts.usedSince(nowMs - KNOWN_FOR_MS)) {
      if (readAtMs <= beforeMs) keys.push({ id: key.id, readAtMs });
      let found = this.found.get(key);
      if (found?.version !== this.limitsOfKeys.version && searches < SEARCHES_PER_REFRESH) {
        searches += 1;
        found = { version: this.limitsOfKeys.version, limits: this.limitsOfKeys.allOf(key) };
        this.found.set(key, found);
      }
      for (const { id } of found?.limits ?? [])
        if (!limits.has(id)) limits.set(id, { id, readAtMs: this.limits.readAtMs(id) });
    }
    return [oldest(keys), oldest([...limits.values()].filter((limit) => limit.readAtMs <= beforeMs))];
  }

  private async readCounts(keyIds: readonly string[]): Promise<void> {
    const beganAtMs = performance.now();
    for (const [keyId, counts] of await this.store.readCounts(keyIds))
      this.counts.refresh(keyId, counts, this.store.hasUnreconciled(keyId), beganAtMs);
  }

  private async readLimits(limitIds: readonly number[]): Promise<void> {
    const beganAtMs = performance.now();
    const read = await this.store.readLimits(limitIds);
    this.limits.refresh(read, beganAtMs);
    const times = [...read.values()].flatMap((limit) => (limit.times === null ? [] : [limit.times]));
    const missing = this.limits.periods.missing(times, this.counts.storeNowUs());
    if (missing.length === 0) return;
    for (const { startsUs, ...calendar } of await this.store.readPeriodStarts(missing))
      this.limits.periods.set(calendar, startsUs);
  }
}

function oldest<T>(rows: { readonly id: T; readonly readAtMs: number }[]): T[] {
  const first = rows.length <= ROWS_PER_REFRESH ? rows : rows.sort((a, b) => a.readAtMs - b.readAtMs);
  return first.slice(0, ROWS_PER_REFRESH).map(({ id }) => id);
}

function* pagesOf<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_READ) yield rows.slice(from, from + ROWS_PER_READ);
}
