/** Time budget per turn of the event loop. Started work is never interrupted. A smaller budget makes smaller group commits. */
const SLICE_MS = 3;
/** Longer work is followed by a pause of its own length, because another request needs several turns. */
const LONG_MS = 10;

interface HolderQueue {
  readonly holder: string;
  readonly starts: (() => void)[];
  usedMs: number;
}

/**
 * Runs synchronous work for a few milliseconds per turn of the event loop, so that other requests are served between the turns.
 * Every holder gets the same time. Without other work, the turns follow each other immediately.
 */
export class TimeSlices {
  private readonly queues = new Map<string, HolderQueue>();
  private active = false;
  private beganAtMs = 0;
  /** `usedMs` of the holder that was served last. A new holder starts with it, and has no advantage. */
  private lastUsedMs = 0;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined if the work can start now, otherwise a promise that never rejects. Work first, then `await` */
  enter(holder: string): Promise<void> | undefined {
    if (!this.active) {
      this.begin();
      return undefined;
    }
    const isTimeLeft = this.nowMs() - this.beganAtMs < SLICE_MS;
    return isTimeLeft && this.queues.size === 0 ? undefined : this.wait(holder);
  }

  /** Begins a slice in this turn of the event loop. Waiting work follows in the next turn. */
  private begin(): void {
    this.active = true;
    this.beganAtMs = this.nowMs();
    setImmediate(() => void this.serveWaiting());
  }

  private wait(holder: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.queues.get(holder);
    if (queue === undefined) this.queues.set(holder, { holder, starts: [resolve], usedMs: this.lastUsedMs });
    else queue.starts.push(resolve);
    return promise;
  }

  private async serveWaiting(): Promise<void> {
    let nowMs = this.nowMs();
    // A slow turn extends the slice to its own length, so that a flood of other work does not starve this work.
    const endsAtMs = nowMs + Math.max(SLICE_MS, nowMs - this.beganAtMs);
    for (let queue = this.leastUsed(); queue !== undefined; queue = this.leastUsed()) {
      if (nowMs >= endsAtMs) return this.begin();
      this.startFirst(queue);
      // The work runs in a microtask, which is ahead of this one.
      await Promise.resolve();
      const tookMs = this.nowMs() - nowMs;
      nowMs += tookMs;
      queue.usedMs += tookMs;
      if (tookMs >= LONG_MS) return void setTimeout(() => this.begin(), tookMs);
    }
    this.active = false;
  }

  private startFirst(queue: HolderQueue): void {
    const start = queue.starts.shift()!;
    if (queue.starts.length === 0) this.queues.delete(queue.holder);
    this.lastUsedMs = queue.usedMs;
    start();
  }

  private leastUsed(): HolderQueue | undefined {
    let least: HolderQueue | undefined;
    for (const queue of this.queues.values()) if (least === undefined || queue.usedMs < least.usedMs) least = queue;
    return least;
  }
}
