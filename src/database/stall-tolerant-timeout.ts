const SLICES = 4;

/**
 * A timeout for a remote system that excludes stalls of this process (a busy event loop, a paused or starved machine). It has four
 * slices, and a stall counts as one slice at most, however long it is. Data that arrived meanwhile is read before the timeout fires.
 */
export class StallTolerantTimer {
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
      // Timers run before sockets are read: a response that has already arrived is in time.
      else this.immediate = setImmediate(this.late);
    }, this.ms / SLICES).unref();
  }
}

/** The result of `work`; rejects with the error of `late` after `ms` during which this process was not stalled. */
export async function withStallTolerantTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = new StallTolerantTimer(ms, () => reject(late()));
  try {
    return await Promise.race([work, over]);
  } finally {
    timer.stop();
  }
}
