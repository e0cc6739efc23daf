/** Time budget per turn of the event loop. Started work is never interrupted. A smaller budget makes smaller group commits. */
const SLICE_MS = 3;
/** Longer work is followed by a pause of its own length, because another request needs several turns. */
const LONG_MS = 10;

interface HolderQueue {
  readonly waiting: (() => void)[];
  /** Starts at the current value of the others, so that a new holder has no advantage. */
  usedMs: number;
}

/**
 * Runs synchronous work for a few milliseconds per turn of the event loop, so that other requests are served between the turns.
 * Every holder gets the same time. Without other work, the turns follow each other immediately.
 */
export class TimeSlices {
  private readonly queues = new Map<string, HolderQueue>();
  private scheduled = false;
  private beganAtMs = 0;
  private endsAtMs = 0;
  /** The time of the holder that was served last. */
  private usedMs = 0;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined if the work can start now, otherwise a promise that never rejects. Work first, then `await` */
  enter(holder: string): Promise<void> | undefined {
    if (!this.scheduled) this.schedule();
    else if (this.queues.size > 0 || this.nowMs() - this.beganAtMs >= SLICE_MS) return this.wait(holder);
    return undefined;
  }

  private wait(holder: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.queues.get(holder);
    if (queue === undefined) this.queues.set(holder, { waiting: [resolve], usedMs: this.usedMs });
    else queue.waiting.push(resolve);
    return promise;
  }

  private schedule(): void {
    this.scheduled = true;
    this.beganAtMs = this.nowMs();
    setImmediate(this.run);
  }

  private readonly run = (): void => {
    const nowMs = this.nowMs();
    // A slow turn extends the slice to its own length, so that a flood of other work does not starve this work.
    this.endsAtMs = nowMs + Math.max(SLICE_MS, nowMs - this.beganAtMs);
    this.serveNext(nowMs);
  };

  private serveNext(nowMs: number): void {
    const next = this.next();
    if (next === undefined) this.scheduled = false;
    else if (nowMs >= this.endsAtMs) this.schedule();
    else {
      const [holder, queue] = next;
      const start = queue.waiting.shift()!;
      if (queue.waiting.length === 0) this.queues.delete(holder);
      this.usedMs = queue.usedMs;
      start();
      // Runs after the work, whose microtask was queued before.
      queueMicrotask(() => {
        const endedAtMs = this.nowMs();
        queue.usedMs += endedAtMs - nowMs;
        if (endedAtMs - nowMs < LONG_MS) this.serveNext(endedAtMs);
        else setTimeout(() => this.schedule(), endedAtMs - nowMs);
      });
    }
  }

  private next(): [string, HolderQueue] | undefined {
    let least: [string, HolderQueue] | undefined;
    for (const entry of this.queues) if (least === undefined || entry[1].usedMs < least[1].usedMs) least = entry;
    return least;
  }
}
