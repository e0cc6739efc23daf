import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';

/** Some megabyte. Beyond it the address that has been quiet the longest begins anew. */
const WINDOWS_MAX = 10_000;

interface Window {
  readonly endsAtMs: number;
  hits: number;
}

/**
 * Hits by address in windows of a fixed length, bounded in memory: the storage that comes with the throttler keeps a time
 * for each hit, walks them all at each new one, and holds as many addresses as there are.
 */
export class FloodWindows implements ThrottlerStorage {
  private readonly windows = new LRUCache<string, Window>({ max: WINDOWS_MAX });

  /** @param nowMs a clock that never goes back */
  constructor(private readonly nowMs: () => number) {}

  /** Windows in memory, for whoever wants to see that they are bounded. */
  get size(): number {
    return this.windows.size;
  }

  /** @param ttlMs length of a window; what else the throttler hands in is about its own storage */
  increment(key: string, ttlMs: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const now = this.nowMs();
    let window = this.windows.get(key);
    if (window === undefined || window.endsAtMs <= now) {
      window = { endsAtMs: now + ttlMs, hits: 0 };
      this.windows.set(key, window);
    }
    window.hits++;
    const seconds = Math.ceil((window.endsAtMs - now) / 1000);
    return Promise.resolve({
      totalHits: window.hits,
      timeToExpire: seconds,
      isBlocked: window.hits > limit,
      timeToBlockExpire: seconds,
    });
  }
}
