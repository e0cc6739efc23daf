import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/error-factories.js';
import { MemoryBudget } from './memory-budget.js';

/** The share of the memory that the bodies of one key can use. */
export const KEY_SHARE = 1 / 4;

/**
 * The memory budget for request bodies (D7). When it is used up, reading a body pauses, and fails with 503 after 10 s. It is not a
 * `FairQueue`, because a body that does not fit must not delay a smaller one.
 */
@Injectable()
export class BodyMemory {
  private readonly budget: MemoryBudget;
  private readonly waiting: WaitingBodies;

  constructor({ bodyMemoryBytes }: Config) {
    this.budget = new MemoryBudget(bodyMemoryBytes, bodyMemoryBytes * KEY_SHARE);
    this.waiting = new WaitingBodies(this.budget);
  }

  get bytesHeld(): number {
    return this.budget.bytesHeld;
  }

  get rejected(): number {
    return this.waiting.rejected;
  }

  /** @returns undefined if the bytes are reserved now, otherwise a promise that rejects with `service_unavailable` after 10 s */
  take(holder: string, bytes: number): Promise<void> | undefined {
    return this.budget.take(bytes, holder) ? undefined : this.waiting.add(holder, bytes);
  }

  release(holder: string, bytes: number): void {
    this.budget.release(bytes, holder);
    while (this.waiting.admitOne());
  }
}

const WAIT_MS = 10_000;

interface Waiter {
  readonly holder: string;
  readonly bytes: number;
  readonly admit: () => void;
  readonly timer: NodeJS.Timeout;
}

/** The bodies that wait for memory. A slow body can take seconds, so the least recently served holders come first. */
export class WaitingBodies {
  rejected = 0;
  private waiters: Waiter[] = [];
  /** When each holder was last served. Empty unless a body is waiting. */
  private readonly servedAt = new Map<string, number>();

  constructor(private readonly budget: MemoryBudget) {}

  get isEmpty(): boolean {
    return this.waiters.length === 0;
  }

  /** Resolves when the bytes are reserved. Rejects with `service_unavailable` after 10 s. */
  add(holder: string, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.waiters = this.waiters.filter((waiter) => waiter.timer !== timer);
      this.rejected += 1;
      reject(serviceUnavailable(new Error('the memory for request bodies is used up')));
    }, WAIT_MS).unref();
    this.waiters.push({ holder, bytes, admit: resolve, timer });
    return promise;
  }

  /** Admits the oldest body that fits, of the least recently served holder. @returns false if no waiting body fits */
  admitOne(): boolean {
    if (this.isEmpty) return false;
    const fitting = this.waiters.filter(({ holder, bytes }) => this.budget.fits(bytes, holder));
    const servedAt = ({ holder }: Waiter) => this.servedAt.get(holder) ?? 0;
    const [first] = fitting.sort((one, other) => servedAt(one) - servedAt(other));
    if (first === undefined) return false;
    const { holder, bytes, admit, timer } = first;
    this.waiters = this.waiters.filter((waiter) => waiter !== first);
    clearTimeout(timer);
    if (this.isEmpty) this.servedAt.clear();
    else this.servedAt.set(holder, performance.now());
    this.budget.take(bytes, holder);
    admit();
    return true;
  }
}

interface Memory<Turn> {
  take(holder: string, bytes: number): Promise<Turn> | undefined;
  release(holder: string, bytes: number): void;
}

/** The memory that one request holds for its body. The request can end while its body still waits for memory. */
export class HeldMemory<Turn = void> {
  private bytes = 0;
  private ended = false;

  constructor(
    private readonly memory: Memory<Turn>,
    private readonly holder: string,
  ) {}

  take(bytes: number): Promise<Turn> | undefined {
    const wait = this.memory.take(this.holder, bytes);
    if (wait === undefined) {
      this.taken(bytes);
      return undefined;
    }
    return wait.then((turn) => {
      this.taken(bytes);
      return turn;
    });
  }

  release(): void {
    this.ended = true;
    this.memory.release(this.holder, this.bytes);
    this.bytes = 0;
  }

  private taken(bytes: number): void {
    // The client disconnected while the body waited.
    if (this.ended) this.memory.release(this.holder, bytes);
    else this.bytes += bytes;
  }
}
