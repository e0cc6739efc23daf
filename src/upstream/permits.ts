/** Told when its turn has come; it holds a permit from then on. */
export interface PermitWaiter {
  onPermit(): void;
}

/**
 * As many permits as the pool has connections, and a bounded line of those who wait for one, first come first served.
 * The pool has a queue of its own, but nobody can leave that one, and it has no bound.
 */
export class Permits {
  private readonly waiters = new Set<PermitWaiter>();
  private freeCount: number;
  private turnedAway = 0;

  constructor(
    total: number,
    private readonly waitersMax: number,
  ) {
    this.freeCount = total;
  }

  get free(): number {
    return this.freeCount;
  }

  get waiting(): number {
    return this.waiters.size;
  }

  /** Those whom the full line did not take, since the start of the process. */
  get refused(): number {
    return this.turnedAway;
  }

  /** A permit at once: true. Every true is paid back by one `release()`. */
  take(): boolean {
    if (this.freeCount === 0) return false;
    this.freeCount -= 1;
    return true;
  }

  /** Gets in line; false: the line is full. The waiter minds its own time. */
  wait(waiter: PermitWaiter): boolean {
    if (this.waiters.size >= this.waitersMax) {
      this.turnedAway += 1;
      return false;
    }
    this.waiters.add(waiter);
    return true;
  }

  leave(waiter: PermitWaiter): void {
    this.waiters.delete(waiter);
  }

  release(): void {
    for (const next of this.waiters) {
      this.waiters.delete(next);
      next.onPermit();
      return;
    }
    this.freeCount += 1;
  }
}
