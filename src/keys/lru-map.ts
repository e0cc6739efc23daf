/** A map that forgets what has not been asked for the longest once it holds more than `max` entries. */
export class LruMap<K, V> {
  // A Map keeps the order of insertion: what is asked for is put in anew, so the first one is the oldest.
  private readonly entries = new Map<K, V>();

  constructor(
    private readonly max: number,
    private readonly onForgotten: (key: K, value: V) => void = () => undefined,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, value);
    }
    return value;
  }

  /** Asking is a use: it counts as `get` does. */
  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.max) return;
    const [oldest, forgotten] = this.entries.entries().next().value!;
    this.entries.delete(oldest);
    this.onForgotten(oldest, forgotten);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
