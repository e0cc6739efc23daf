/** `holder` is a key ID or another caller. Null exempts the item from the holder's limit. */
export interface QueueEntry<T> {
  readonly holder: string | null;
  readonly item: T;
}

/** A bounded queue that is first in, first out for each holder, and round-robin over the holders. */
export class FairQueue<T> {
  /** Holders are in the order in which they are served. */
  private readonly waiting = new Map<string | null, Set<T>>();
  private count = 0;

  constructor(private readonly sizeMax: number) {}

  get size(): number {
    return this.count;
  }

  get free(): number {
    return this.sizeMax - this.count;
  }

  sizeOf(holder: string): number {
    return this.waiting.get(holder)?.size ?? 0;
  }

  /** @returns false if the queue is full, or if the holder has more waiting items than the queue has free places */
  add(holder: string | null, item: T): boolean {
    const items = this.waiting.get(holder) ?? new Set<T>();
    if (this.free <= 0 || (holder !== null && items.size > this.free)) return false;
    this.waiting.set(holder, items.add(item));
    this.count += 1;
    return true;
  }

  /** Removes an item that no longer waits. Its holder keeps its turn. */
  remove(holder: string | null, item: T): void {
    const items = this.waiting.get(holder);
    if (items?.delete(item) !== true) return;
    this.count -= 1;
    if (items.size === 0) this.waiting.delete(holder);
  }

  /** Returns the first item of the first holder that `isReady` accepts. The item stays in the queue until `serve`. */
  next(isReady?: (holder: string | null) => boolean): QueueEntry<T> | undefined {
    for (const [holder, items] of this.waiting) {
      if (isReady?.(holder) === false) continue;
      for (const item of items) return { holder, item };
    }
    return undefined;
  }

  /** Removes an item whose turn has come. Its holder is served again after all other holders. */
  serve({ holder, item }: QueueEntry<T>): void {
    this.remove(holder, item);
    const items = this.waiting.get(holder);
    if (items === undefined) return;
    this.waiting.delete(holder);
    this.waiting.set(holder, items);
  }

  /** Removes and returns all items. */
  clear(): T[] {
    const items = [...this.waiting.values()].flatMap((set) => [...set]);
    this.waiting.clear();
    this.count = 0;
    return items;
  }
}
