/** Time for work in one turn of the event loop. Started work is never interrupted. Less time makes smaller group commits. */
const SLICE_MS = 3;
/** Work that takes this long is followed by a pause of the same length: another request needs several turns. */
const LONG_MS = 10;

interface HolderQueue {
  readonly waiting: (() => void)[];
  /** Time that the work of this holder has taken, beginning with `tookMs` of the others when it began to wait. */
  tookMs: number;
}

/**
 * Runs synchronous work for a few milliseconds per turn of the event loop, so that other requests are served in between.
 * Further work waits for the next turns, in which each holder gets as much time as any other. The turns follow at once: if
 * there is no other work, the work of one holder takes no longer than without slices.
 */
export class TimeSlices {
  private readonly queues = new Map<string, HolderQueue>();
  /** Whether the next slice is scheduled. */
  private scheduled = false;
  private beganAtMs = 0;
  private endsAtMs = 0;
  /** The `tookMs` of the holder that was served last. */
  private tookMs = 0;

  /** @param nowMs a monotonic clock in milliseconds */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined if the work can start now, else a promise that never rejects. Then do the work before any `await` */
  enter(holder: string): Promise<void> | undefined {
    if (!this.scheduled) this.schedule();
    else if (this.queues.size > 0 || this.nowMs() - this.beganAtMs >= SLICE_MS) return this.wait(holder);
    return undefined;
  }

  private wait(holder: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.queues.get(holder);
    if (queue === undefined) this.queues.set(holder, { waiting: [resolve], tookMs: this.tookMs });
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
    // As long as the rest of the turn took, if that was longer, so that a flood of other work does not starve this work.
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
      this.tookMs = queue.tookMs;
      start();
      // Runs after the work, which is a microtask that was queued before.
      queueMicrotask(() => {
        const endedAtMs = this.nowMs();
        queue.tookMs += endedAtMs - nowMs;
        if (endedAtMs - nowMs < LONG_MS) this.serveNext(endedAtMs);
        else setTimeout(() => this.schedule(), endedAtMs - nowMs);
      });
    }
  }

  /** The holder whose work has taken the least time. */
  private next(): [string, HolderQueue] | undefined {
    let least: [string, HolderQueue] | undefined;
    for (const entry of this.queues) if (least === undefined || entry[1].tookMs < least[1].tookMs) least = entry;
    return least;
  }
}
