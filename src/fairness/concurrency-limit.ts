import { serviceUnavailable } from '../errors/catalogue.js';
import { FairQueue } from './fair-queue.js';

interface ConcurrencyBounds {
  /** Pieces of work that run at the same time. */
  readonly atOnce: number;
  /** Pieces of work that wait. */
  readonly waiting: number;
  /** Milliseconds that a piece of work waits. */
  readonly waitMs: number;
}

/**
 * Limits how much work of one kind runs at the same time. Other work waits in a `FairQueue`, so that a flood is refused and
 * does not overload the process. Work without a holder is served in the order of arrival.
 */
export class ConcurrencyLimit {
  private running = 0;
  private readonly queue: FairQueue<() => void>;

  constructor(private readonly bounds: ConcurrencyBounds) {
    this.queue = new FairQueue(bounds.waiting);
  }

  /** @throws GatewayError `service_unavailable` if the queue is full or the wait is too long, and whatever `work` throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const wait = this.enter();
    if (wait !== undefined) await wait;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * For work that ends elsewhere. The caller calls `leave` once after each successful `enter`.
   * @returns undefined if the work can start now, else a promise that resolves when it can
   * @throws GatewayError as `pass` does, synchronously or by rejection
   */
  enter(holder: string | null = null): Promise<void> | undefined {
    if (this.running >= this.bounds.atOnce) return this.wait(holder);
    this.running++;
    return undefined;
  }

  /** Passes the place to the next in the queue. The place is never free in between. */
  leave(): void {
    const next = this.queue.next();
    if (next === undefined) {
      this.running--;
      return;
    }
    this.queue.serve(next);
    next.item();
  }

  private wait(holder: string | null): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    if (!this.queue.add(holder, start)) throw serviceUnavailable(new Error('Too many requests wait'));
    const timer = setTimeout(() => {
      this.queue.remove(holder, start);
      reject(serviceUnavailable(new Error('The request waited too long')));
    }, this.bounds.waitMs);
    return promise;
  }
}
