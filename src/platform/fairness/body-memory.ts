import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/error-factories.js';
import { MemoryBudget } from './memory-budget.js';

const WAIT_MS = 10_000;
const KEY_SHARE = 1 / 4;

interface Waiter {
  readonly holder: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The memory budget for request bodies (D7). When it is used up, reading a body pauses, and fails with 503 after 10 s. It is not a
 * `FairQueue`, because a body that does not fit must not delay a smaller one. A slow body can take seconds, so the least recently
 * served holders come first.
 */
@Injectable()
export class BodyMemory {
  private readonly budget: MemoryBudget;
  private rejections = 0;
  private waiters: Waiter[] = [];
  /** When each holder was last served. Empty unless a body is waiting. */
  private readonly servedAt = new Map<string, number>();

  constructor({ bodyMemoryBytes }: Config) {
    this.budget = new MemoryBudget(bodyMemoryBytes, bodyMemoryBytes * KEY_SHARE);
  }

  get bytesHeld(): number {
    return this.budget.bytesHeld;
  }

  get shareMax(): number {
    return this.budget.shareMax;
  }

  get rejected(): number {
    return this.rejections;
  }

  /** @returns undefined if the bytes are reserved now, otherwise a promise that rejects with `service_unavailable` after 10 s */
  take(holder: string, bytes: number): Promise<void> | undefined {
    return this.budget.take(bytes, holder) ? undefined : this.wait(holder, bytes);
  }

  release(holder: string, bytes: number): void {
    this.budget.release(bytes, holder);
    if (this.waiters.length > 0) this.admitWaiters();
  }

  protected wait(holder: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((waiter) => waiter.timer !== timer);
        this.rejections += 1;
        reject(serviceUnavailable(new Error('the memory for request bodies is used up')));
      }, WAIT_MS).unref();
      this.waiters.push({ holder, bytes, resolve, timer });
    });
  }

  protected admitWaiters(): void {
    while (this.admitFirst());
  }

  /** Admits the oldest body that fits, of the least recently served holder. @returns false if no waiting body fits */
  protected admitFirst(): boolean {
    const fitting = this.waiters.filter(({ holder, bytes }) => this.budget.fits(bytes, holder));
    const servedAt = ({ holder }: Waiter) => this.servedAt.get(holder) ?? 0;
    const [first] = fitting.sort((one, other) => servedAt(one) - servedAt(other));
    if (first === undefined) return false;
    const { holder, bytes, resolve, timer } = first;
    this.waiters = this.waiters.filter((waiter) => waiter !== first);
    clearTimeout(timer);
    if (this.waiters.length === 0) this.servedAt.clear();
    else this.servedAt.set(holder, performance.now());
    this.budget.take(bytes, holder);
    resolve();
    return true;
  }
}
