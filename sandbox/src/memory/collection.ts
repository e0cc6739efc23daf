const ENTRIES_MAX = 10_000;
const BYTES_MAX = 64 * 1024 * 1024;
const EPOCH_2025 = 1_735_689_600;
const ID_DIGITS = 24;

export interface Kept {
  readonly id: string;
}

/**
 * A bounded collection of created objects, oldest first. IDs come from a counter, so the same requests after a restart get the
 * same responses. Above its bounds, the oldest entries are removed, but never the newest one.
 */
export class Collection<Entry extends Kept> {
  private readonly kept = new Map<string, { readonly entry: Entry; readonly bytes: number }>();
  private created = 0;
  private bytes = 0;

  constructor(
    private readonly prefix: string,
    private readonly entriesMax = ENTRIES_MAX,
    private readonly bytesMax = BYTES_MAX,
  ) {}

  /**
   * @param bytes approximate memory use of the entry
   * @param make gets `createdAt` in Unix seconds, which increases with each entry
   */
  create(bytes: number, make: (id: string, createdAt: number) => Entry): Entry {
    this.created += 1;

    const id = `${this.prefix}${String(this.created).padStart(ID_DIGITS, '0')}`;

    return this.put(make(id, EPOCH_2025 + this.created), bytes);
  }

  /** Adds an entry under its ID, or replaces the entry with that ID in place. */
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
