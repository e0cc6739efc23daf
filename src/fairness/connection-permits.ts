/** Told when its turn has come; it holds a permit from then on. */
export interface PermitWaiter {
  /** As `UpstreamRequest` has it. */
  readonly holder: string;
  onPermit(): void;
}

/** Of this share of the permits a holder takes one only while it has fewer than are left: nobody has them all. */
const RESERVE = 1 / 32;

/**
 * As many permits as the pool may have connections, and a bounded line of those who wait for one, by turns of the holders:
 * who sends many holds up nobody else's. The pool itself has neither bound nor line: it opens one for whoever takes one.
 */
export class ConnectionPermits {
  private readonly reserve: number;
  private freeCount: number;
  private readonly heldBy = new Map<string, number>();
  /** Of each holder that waits, first come first served; in the order of the holders' turns. */
  private readonly lines = new Map<string, Set<PermitWaiter>>();
  private waitingCount = 0;
  private turnedAway = 0;

  constructor(
    total: number,
    private readonly waitersMax: number,
  ) {
    this.freeCount = total;
    this.reserve = Math.floor(total * RESERVE);
  }

  get free(): number {
    return this.freeCount;
  }

  get waiting(): number {
    return this.waitingCount;
  }

  /** Those whom the line did not take, since the start of the process. */
  get refused(): number {
    return this.turnedAway;
  }

  /** A permit at once: true. Every true is paid back by one `release()`. */
  take(holder: string): boolean {
    const held = this.heldBy.get(holder) ?? 0;
    if (this.freeCount <= this.reserve && held >= this.freeCount) return false;
    this.freeCount -= 1;
    this.heldBy.set(holder, held + 1);
    return true;
  }

  /** Gets in line; false: the line is full, or the holder has more in it than there is room left. The waiter minds its own time. */
  wait(waiter: PermitWaiter): boolean {
    const line = this.lines.get(waiter.holder) ?? new Set();
    const room = this.waitersMax - this.waitingCount;
    if (room === 0 || line.size > room) {
      this.turnedAway += 1;
      return false;
    }
    this.lines.set(waiter.holder, line.add(waiter));
    this.waitingCount += 1;
    return true;
  }

  leave(waiter: PermitWaiter): void {
    const line = this.lines.get(waiter.holder);
    if (line?.delete(waiter) !== true) return;
    this.waitingCount -= 1;
    if (line.size === 0) this.lines.delete(waiter.holder);
  }

  release(holder: string): void {
    const held = this.heldBy.get(holder)! - 1;
    if (held === 0) this.heldBy.delete(holder);
    else this.heldBy.set(holder, held);
    this.freeCount += 1;
    while (this.serveNext());
  }

  private serveNext(): boolean {
    for (const [holder, line] of this.lines) {
      if (!this.take(holder)) continue;
      const next = line.values().next().value!;
      this.leave(next);
      // To the end of the turns.
      if (this.lines.delete(holder)) this.lines.set(holder, line);
      next.onPermit();
      return true;
    }
    return false;
  }
}
