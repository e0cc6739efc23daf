const HOUR_MS = 3_600_000;
const TRIES_MAX = 20;
const KNOWN_MAX = 100_000;

export interface KeyUse {
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** How often its row was found locked. */
  readonly tries: number;
}

/** Which keys' `last_used_at` is due: hourly at most for each key (D15). One entry a key at most. */
export class LastUse {
  private due = new Map<string, KeyUse>();
  /** When a process last wrote it, as far as this one knows; forgotten now and then, which costs a write without effect. */
  private readonly known = new Map<string, number>();

  get size(): number {
    return this.due.size;
  }

  /** @param storedAtMs what the key's snapshot says */
  note(keyId: string, atMs: number, storedAtMs: number | null): void {
    if (storedAtMs !== null && atMs - storedAtMs < HOUR_MS) return;
    const knownAtMs = this.known.get(keyId);
    if (knownAtMs !== undefined && atMs - knownAtMs < HOUR_MS) return;
    if (!this.due.has(keyId)) this.due.set(keyId, { keyId, atMs, tries: 0 });
  }

  /** All that are due; they are not any more. */
  take(): KeyUse[] {
    const uses = [...this.due.values()];
    this.due = new Map();
    return uses;
  }

  /** After a write. @param stored by key, milliseconds since 1970; rows of other keys were locked, and are tried again for some seconds */
  written(uses: readonly KeyUse[], stored: ReadonlyMap<string, number>): void {
    if (this.known.size > KNOWN_MAX) this.known.clear();
    for (const use of uses) {
      const storedAtMs = stored.get(use.keyId);
      if (storedAtMs !== undefined) this.known.set(use.keyId, storedAtMs);
      else if (use.tries < TRIES_MAX) this.due.set(use.keyId, { ...use, tries: use.tries + 1 });
    }
  }

  /** The database could not be asked. */
  putBack(uses: readonly KeyUse[]): void {
    for (const use of uses) this.due.set(use.keyId, use);
  }
}
