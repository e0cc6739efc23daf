import { FairQueue } from '../platform/fairness/fair-queue.js';
import type { PooledConnection, UpstreamPool } from './upstream-pool.js';

export interface PermitWaiter {
  readonly holder: string;
  /** Called with the permit, which the waiter must release. */
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

  /** Requests that found the queue full. */
  get rejected(): number {
    return this.rejections;
  }

  /** Takes a permit without waiting. @returns false if none is free for this holder */
  take(holder: string): boolean {
    if (!this.canTake(holder)) return false;
    this.freeCount -= 1;
    this.heldBy.set(holder, (this.heldBy.get(holder) ?? 0) + 1);
    return true;
  }

  /** Queues a request that calls `leave` after a timeout of its own. @returns false if the queue is full */
  wait(waiter: PermitWaiter): boolean {
    if (this.queue.add(waiter.holder, waiter)) return true;
    this.rejections += 1;
    return false;
  }

  /** Removes a waiter that no longer needs a permit. */
  leave(waiter: PermitWaiter): void {
    this.queue.remove(waiter.holder, waiter);
  }

  /** Returns a permit, and gives it to the next waiter. */
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

/** The permit of one request, and the connection that it uses. It ends with the first call of `giveBack` or `drop`. */
export class ConnectionLease {
  private held = false;
  private connection: PooledConnection | null = null;

  constructor(
    private readonly permits: ConnectionPermits,
    private readonly pool: UpstreamPool,
    private readonly holder: string,
  ) {}

  /** Call it once the permit is taken. Without this call, `giveBack` and `drop` have no effect. */
  begin(): void {
    this.held = true;
  }

  /** Takes a connection for the next attempt, and drops that of the attempt before. */
  connect(): PooledConnection {
    if (this.connection !== null) this.pool.drop(this.connection);
    this.connection = this.pool.take();
    return this.connection;
  }

  /** True if earlier requests have used the connection. */
  get isReused(): boolean {
    return this.connection!.requests > 1;
  }

  /** Another request can use the connection. */
  giveBack(): void {
    this.release(true);
  }

  /** No other request can use the connection. */
  drop(): void {
    this.release(false);
  }

  /** The connection was closed before a response. */
  lose(): void {
    if (this.connection !== null) this.pool.onLost(this.connection);
    this.drop();
  }

  private release(isReusable: boolean): void {
    if (!this.held) return;
    this.held = false;
    // A waiting request can get the same connection, so undici must finish with this one first.
    if (this.permits.waiting === 0) this.end(isReusable);
    else setImmediate(() => this.end(isReusable));
  }

  private end(isReusable: boolean): void {
    if (this.connection !== null && isReusable) this.pool.release(this.connection);
    else if (this.connection !== null) this.pool.drop(this.connection);
    this.connection = null;
    this.permits.release(this.holder);
  }
}
