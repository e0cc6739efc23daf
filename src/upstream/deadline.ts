/**
 * A timeout that is reset often, for example at each chunk of a response. Resetting a timer costs more than handling a chunk. So
 * `set` only stores the new deadline, and the timer checks it when it fires.
 */
export class Deadline {
  // Shared by all timers, so that none needs a closure.
  private static readonly onTimer = (deadline: Deadline): void => deadline.check();

  private timer: NodeJS.Timeout | undefined;
  /** `performance.now()` when the timer fires, and at the deadline. */
  private firesAtMs = 0;
  private dueMs = 0;

  /** @param shortestMs the shortest usual timeout; the timer is first armed for at most this, so it is rarely reset */
  constructor(
    private readonly shortestMs: number,
    private readonly owner: { timedOut(): void },
  ) {}

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
