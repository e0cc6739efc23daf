const SLICES = 4;

/**
 * A timeout for a remote system that excludes stalls of this process (a busy event loop, a paused machine). It has four slices,
 * and a stall of any length counts as one slice at most. Data that arrived during a stall is read before the timeout fires.
 */
export class StallTolerantTimer {
  private slicesLeft = SLICES;
  private timer: NodeJS.Timeout;
  private immediate: NodeJS.Immediate | undefined;

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
      // Timers run before sockets are read. A response that has already arrived is still accepted.
      else this.immediate = setImmediate(this.late);
    }, this.ms / SLICES).unref();
  }
}

/** @throws the error of `late` after `ms`, not counting stalls of this process */
export async function withStallTolerantTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = new StallTolerantTimer(ms, () => reject(late()));
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    timer.stop();
  }
}
