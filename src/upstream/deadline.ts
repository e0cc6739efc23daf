/**
 * Calls `timedOut` of its owner at a deadline that can be moved for every chunk. Resetting a timer costs more than handling a
 * chunk, so `set` usually only stores the new deadline, and the timer checks it.
 */
export class Deadline {
  // Shared, so that no timer needs a closure.
  private static readonly onTimer = (deadline: Deadline): void => deadline.check();

  private timer: NodeJS.Timeout | undefined;
  /** When the timer fires, which can be before the deadline. */
  private firesAtMs = 0;
  /** The deadline. */
  private dueMs = 0;

  /** @param shortestMs the first timer is armed for at most this, so that it is rarely reset */
  constructor(
    private readonly shortestMs: number,
    private readonly owner: { timedOut(): void },
  ) {}

  /** Replaces the deadline. @param ms from now */
  set(ms: number): void {
    this.dueMs = performance.now() + ms;
    if (this.timer === undefined || this.dueMs < this.firesAtMs) this.arm(Math.min(ms, this.shortestMs));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private arm(ms: number): void {
    clearTimeout(this.timer);
    this.firesAtMs = performance.now() + ms;
    this.timer = setTimeout(Deadline.onTimer, ms, this);
  }

  private check(): void {
    this.timer = undefined;
    const leftMs = this.dueMs - performance.now();
    if (leftMs > 0) this.arm(leftMs);
    else this.owner.timedOut();
  }
}
