import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/catalogue.js';

const WAIT_MS = 10_000;
const KEY_SHARE = 4;

interface Waiter {
  readonly holder: string;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Request bodies held at once are bounded together, and for each holder to a quarter of that (D7).
 * Past the bound reading pauses; a reader that has waited 10 s gets 503.
 */
@Injectable()
export class BodyMemory {
  private readonly bytesMax: number;
  private held = 0;
  private refusals = 0;
  private readonly heldBy = new Map<string, number>();
  private waiters: Waiter[] = [];
  /** When each holder was last let in while others waited. */
  private readonly turns = new Map<string, number>();

  constructor(config: Config) {
    this.bytesMax = config.bodyMemoryBytes;
  }

  /** Bytes that are taken. */
  get bytesHeld(): number {
    return this.held;
  }

  /** What one holder can have at all. */
  get shareMax(): number {
    return this.bytesMax / KEY_SHARE;
  }

  /** Readers that had waited in vain, since the start of the process. */
  get refused(): number {
    return this.refusals;
  }

  /**
   * Takes `bytes` for `holder` (a key id).
   * @returns undefined when they are taken at once, else a promise of it that rejects with `service_unavailable`
   */
  take(holder: string, bytes: number): Promise<void> | undefined {
    if (!this.fits(holder, bytes)) return this.wait(holder, bytes);
    this.add(holder, bytes);
    return undefined;
  }

  /** Gives back what `take` took. */
  release(holder: string, bytes: number): void {
    this.add(holder, -bytes);
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
   * By turns of the holders, of each the longest waiting: who sends many holds up nobody else's.
   * @returns false: none that waits could have what it waits for
   */
  protected admitFirst(): boolean {
    const fitting = this.waiters.filter(({ holder, bytes }) => this.fits(holder, bytes));
    const turnOf = ({ holder }: Waiter) => this.turns.get(holder) ?? 0;
    const [first] = fitting.sort((one, other) => turnOf(one) - turnOf(other));
    if (first === undefined) return false;
    const { holder, bytes, resolve, timer } = first;
    this.waiters = this.waiters.filter((waiter) => waiter !== first);
    clearTimeout(timer);
    if (this.waiters.length === 0) this.turns.clear();
    else this.turns.set(holder, performance.now());
    this.add(holder, bytes);
    resolve();
    return true;
  }

  private fits(holder: string, bytes: number): boolean {
    return this.held + bytes <= this.bytesMax && (this.heldBy.get(holder) ?? 0) + bytes <= this.shareMax;
  }

  private add(holder: string, bytes: number): void {
    this.held += bytes;
    const left = (this.heldBy.get(holder) ?? 0) + bytes;
    if (left === 0) this.heldBy.delete(holder);
    else this.heldBy.set(holder, left);
  }
}
