import { serviceUnavailable } from '../errors/error-factories.js';
import { FairQueue } from './fair-queue.js';

interface ConcurrencyBounds {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
}

/** Limits how many tasks run at the same time. Others wait in a bounded `FairQueue`. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly queue: FairQueue<() => void>;

  constructor(private readonly bounds: ConcurrencyBounds) {
    this.queue = new FairQueue(bounds.waiting);
  }

  /** @throws GatewayError `service_unavailable` if the queue is full or the wait too long. Errors of `work` pass through */
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
   * Like `pass`, but the caller must call `leave` once after each successful `enter`.
   * @returns undefined if the task can start now, otherwise a promise that resolves when it can
   * @throws GatewayError as `pass` does, synchronously or as a rejection
   */
  enter(holder: string | null = null): Promise<void> | undefined {
    if (this.running >= this.bounds.atOnce) return this.wait(holder);
    this.running++;
    return undefined;
  }

  /** Passes the slot directly to the next task in the queue, so that no other task can take it. */
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
    if (!this.queue.add(holder, start)) throw serviceUnavailable(new Error('too many requests are waiting'));
    const timer = setTimeout(() => {
      this.queue.remove(holder, start);
      reject(serviceUnavailable(new Error('the request waited too long')));
    }, this.bounds.waitMs);
    return promise;
  }
}
