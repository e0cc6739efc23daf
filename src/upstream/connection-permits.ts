import { FairQueue } from '../platform/fairness/fair-queue.js';

export interface PermitWaiter {
  readonly holder: string;
  onPermit(): void;
}

/** The share of permits that is reserved. A holder can take one of these only while it holds fewer permits than are free. */
const RESERVE = 1 / 32;

/** One permit for each possible upstream connection. The pool has no limit of its own. */
export class ConnectionPermits {
  private readonly reserve: number;
  private freeCount: number;
  private readonly heldBy = new Map<string, number>();
  private readonly queue: FairQueue<PermitWaiter>;
  private rejections = 0;
  private readonly canTake = (holder: string | null): boolean =>
    this.freeCount > this.reserve || (this.heldBy.get(holder!) ?? 0) < this.freeCount;

  constructor(total: number, waitersMax: number) {
    this.freeCount = total;
    this.reserve = Math.floor(total * RESERVE);
    this.queue = new FairQueue(waitersMax);
  }

  get free(): number {
    return this.freeCount;
  }

  get waiting(): number {
    return this.queue.size;
  }

  get rejected(): number {
    return this.rejections;
  }

  take(holder: string): boolean {
    if (!this.canTake(holder)) return false;
    this.freeCount -= 1;
    this.heldBy.set(holder, (this.heldBy.get(holder) ?? 0) + 1);
    return true;
  }

  /** The caller sets the timeout. @returns false if the queue is full */
  wait(waiter: PermitWaiter): boolean {
    if (this.queue.add(waiter.holder, waiter)) return true;
    this.rejections += 1;
    return false;
  }

  leave(waiter: PermitWaiter): void {
    this.queue.remove(waiter.holder, waiter);
  }

  release(holder: string): void {
    const held = this.heldBy.get(holder)! - 1;
    if (held === 0) this.heldBy.delete(holder);
    else this.heldBy.set(holder, held);
    this.freeCount += 1;
    while (this.queue.size > 0 && this.serveNext());
  }

  private serveNext(): boolean {
    const next = this.queue.next(this.canTake);
    if (next === undefined) return false;
    this.take(next.item.holder);
    this.queue.serve(next);
    next.item.onPermit();
    return true;
  }
}
