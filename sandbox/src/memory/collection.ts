const ENTRIES_MAX = 10_000;
const BYTES_MAX = 64 * 1024 * 1024;
const EPOCH_2025 = 1_735_689_600;
const ID_DIGITS = 24;

/** What every kept object has. */
export interface Kept {
  readonly id: string;
}

/**
 * What was created of one kind, oldest first, ids from a counter: a sandbox that is asked the same after its start
 * answers the same. Beyond its bounds the oldest are forgotten; the newest is always kept.
 */
export class Collection<Entry extends Kept> {
  private readonly kept = new Map<string, { readonly entry: Entry; readonly bytes: number }>();
  private created = 0;
  private bytes = 0;

  /** @param prefix of the ids, e.g. `asst_` */
  constructor(
    private readonly prefix: string,
    private readonly entriesMax = ENTRIES_MAX,
    private readonly bytesMax = BYTES_MAX,
  ) {}

  /**
   * @param bytes about what it costs in memory
   * @param make `createdAt` is in Unix seconds and grows with each
   */
  create(bytes: number, make: (id: string, createdAt: number) => Entry): Entry {
    this.created += 1;

    const id = `${this.prefix}${String(this.created).padStart(ID_DIGITS, '0')}`;

    return this.put(make(id, EPOCH_2025 + this.created), bytes);
  }

  /** Adds, or replaces in its place, an entry under the id that it has. */
  put(entry: Entry, bytes: number): Entry {
    this.bytes += bytes - (this.kept.get(entry.id)?.bytes ?? 0);
    this.kept.set(entry.id, { entry, bytes });
    this.forgetOldest(entry.id);
    return entry;
  }

  get(id: string): Entry | undefined {
    return this.kept.get(id)?.entry;
  }

  delete(id: string): boolean {
    this.bytes -= this.kept.get(id)?.bytes ?? 0;
    return this.kept.delete(id);
  }

  /** Oldest first. */
  all(): Entry[] {
    return [...this.kept.values()].map(({ entry }) => entry);
  }

  private forgetOldest(newest: string): void {
    for (const id of this.kept.keys()) {
      if (this.kept.size <= this.entriesMax && this.bytes <= this.bytesMax) return;
      if (id !== newest) this.delete(id);
    }
  }
}
