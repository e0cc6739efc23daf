const SLICES = 4;

/**
 * A time limit for somebody else, counted in time that this process was awake itself: it is cut into four, and a stall of
 * this process (a busy event loop, a stopped or starved machine) counts as one of them at most, however long it was. What
 * came meanwhile is read before the limit is over.
 */
export class AwakeTimer {
  private slicesLeft = SLICES;
  private timer: NodeJS.Timeout;
  private immediate: NodeJS.Immediate | undefined;

  /** @param late called once, after `ms`, unless the timer was stopped before */
  constructor(
    private readonly ms: number,
    private readonly late: () => void,
  ) {
    this.timer = this.nextSlice();
  }

  stop(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private nextSlice(): NodeJS.Timeout {
    return setTimeout(() => {
      this.slicesLeft -= 1;
      if (this.slicesLeft > 0) this.timer = this.nextSlice();
      // Timers come before what has arrived: an answer that has been there all along is in time.
      else this.immediate = setImmediate(this.late);
    }, this.ms / SLICES).unref();
  }
}

/** What `work` comes to; a rejection with what `late` makes where that takes longer than `ms` in which this process was awake. */
export async function inAwakeTime<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = new AwakeTimer(ms, () => reject(late()));
  try {
    return await Promise.race([work, over]);
  } finally {
    timer.stop();
  }
}
