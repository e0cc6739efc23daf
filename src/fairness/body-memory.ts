import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import { MemoryBudget } from './memory-budget.js';

const WAIT_MS = 10_000;
/** A key holds at most this part of the memory. */
const KEY_SHARE = 1 / 4;

interface Waiter {
  readonly holder: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Memory for the request bodies of all keys (D7). When it is used up, the reader of a body pauses. After 10 s it gets 503.
 *
 * It does not use `FairQueue`: a waiter that does not fit must not delay a smaller one. A new holder is served before those that
 * were served already, because one slow body can take seconds.
 */
@Injectable()
export class BodyMemory {
  private readonly budget: MemoryBudget;
  private refusals = 0;
  private waiters: Waiter[] = [];
  /** When each holder was last served. Empty while nobody waits. */
  private readonly servedAt = new Map<string, number>();

  constructor({ bodyMemoryBytes }: Config) {
    this.budget = new MemoryBudget(bodyMemoryBytes, bodyMemoryBytes * KEY_SHARE);
  }

  get bytesHeld(): number {
    return this.budget.bytesHeld;
  }

  /** Bytes that one holder can have. */
  get shareMax(): number {
    return this.budget.shareMax;
  }

  /** Readers refused after 10 s, since the start of the process. */
  get refused(): number {
    return this.refusals;
  }

  /**
   * Takes `bytes` for `holder` (a key ID).
   * @returns undefined if they are taken now, else a promise that resolves when they are, and rejects with
   *   `service_unavailable` after 10 s
   */
  take(holder: string, bytes: number): Promise<void> | undefined {
    return this.budget.take(bytes, holder) ? undefined : this.wait(holder, bytes);
  }

  /** Gives back what `take` took. */
  release(holder: string, bytes: number): void {
    this.budget.release(bytes, holder);
    if (this.waiters.length > 0) this.admitWaiters();
  }

  protected wait(holder: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((waiter) => waiter.timer !== timer);
        this.refusals += 1;
        reject(serviceUnavailable(new Error('no memory for request bodies')));
      }, WAIT_MS).unref();
      this.waiters.push({ holder, bytes, resolve, timer });
    });
  }

  protected admitWaiters(): void {
    while (this.admitFirst());
  }

  /**
   * Admits the longest waiting body of the holder that was served least recently.
   * @returns false if no waiting body fits
   */
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
