/**
 * A time limit that is set anew again and again, for each piece of an answer for instance. Its timer is set once and looks,
 * when it comes, how much is left: a timer set anew costs more than the piece.
 */
export class Deadline {
  // One function for all, in place of a closure for each timer.
  private static readonly onTimer = (deadline: Deadline): void => deadline.look();

  private timer: NodeJS.Timeout | undefined;
  /** By `performance.now()`: when the timer comes, and when the time is over. */
  private comesMs = 0;
  private dueMs = 0;

  /** @param shortestMs of the limits that are set most; none is noticed late for being shorter */
  constructor(
    private readonly shortestMs: number,
    private readonly owner: { timedOut(): void },
  ) {}

  /** From now on `ms` are left, whatever was left before. */
  set(ms: number): void {
    this.dueMs = performance.now() + ms;
    if (this.timer === undefined || this.dueMs < this.comesMs) this.arm(Math.min(ms, this.shortestMs));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private arm(ms: number): void {
    clearTimeout(this.timer);
    this.comesMs = performance.now() + ms;
    this.timer = setTimeout(Deadline.onTimer, ms, this);
  }

  private look(): void {
    this.timer = undefined;
    const leftMs = this.dueMs - performance.now();
    if (leftMs > 0) this.arm(leftMs);
    else this.owner.timedOut();
  }
}
