import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';

/** About 1 MB. Beyond this number, the least recently used address is dropped and starts at zero again. */
const WINDOWS_MAX = 10_000;

interface Window {
  readonly endsAtMs: number;
  hits: number;
}

/** Fixed windows in bounded memory. The throttler's own storage keeps and scans a time per hit, for unlimited addresses. */
export class FloodWindows implements ThrottlerStorage {
  private readonly windows = new LRUCache<string, Window>({ max: WINDOWS_MAX });

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {}

  get size(): number {
    return this.windows.size;
  }

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
