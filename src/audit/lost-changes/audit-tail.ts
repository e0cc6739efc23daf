import { sqlFile } from '../../platform/database/sql-file.js';
import type { DatabaseQuery } from '../../platform/changes/changes.js';
import { keyOf, type RememberedChange, type RememberedKey } from './lost-change.js';

const READ = sqlFile(import.meta.url, './audit-tail.sql');
const MISSING = sqlFile(import.meta.url, './missing-audit-rows.sql');
const REMEMBERED_MS = 3_600_000;
const REMEMBERED_MAX = 5000;

/**
 * The newest changes that this process has read from the audit log: at most 5,000, and none more than an hour older than the newest. If
 * the database no longer has one of them, it is in an earlier state: an asynchronous standby was promoted, or a backup was restored.
 */
export class AuditTail {
  private changes = new Map<string, RememberedChange>();
  private keys = new Map<string, RememberedKey>();
  private idsByHash = new Map<string, string>();
  private newest: string | null = null;
  private checked = true;

  /** @param report gets the changes that the database has lost */
  constructor(private readonly report: (lost: readonly RememberedChange[]) => void) {}

  /** The newest state of a key in these changes. */
  keyOf(id: string): RememberedKey | undefined {
    return this.keys.get(id);
  }

  /** The ID of the key whose newest raw key has this hash. */
  idOfHash(hash: string): string | undefined {
    return this.idsByHash.get(hash);
  }

  /** Compares the changes with the database behind a new connection. If that fails, the next `read` repeats it. */
  async compareAfterConnecting(query: DatabaseQuery): Promise<void> {
    this.checked = this.changes.size === 0;
    await this.check(query);
  }

  async read(query: DatabaseQuery): Promise<void> {
    await this.check(query);
    const found = await query<RememberedChange>(READ, [this.newest]);
    const [newest] = found;
    if (newest === undefined) return;
    this.newest = newest.at;
    // Oldest first, because the map keeps the order in which changes were first read.
    for (const change of found.toReversed()) this.changes.set(change.id, change);
    this.forgetBefore(Date.parse(newest.at) - REMEMBERED_MS);
    this.index();
  }

  private async check(query: DatabaseQuery): Promise<void> {
    if (this.checked) return;
    const known = [...this.changes.values()];
    const rows = await query<{ id: string }>(MISSING, [known.map(({ id }) => id), known.map(({ at }) => at)]);
    this.checked = true;
    if (rows.length === 0) return;
    const missing = new Set(rows.map(({ id }) => id));
    this.changes = new Map(known.filter(({ id }) => !missing.has(id)).map((change) => [change.id, change]));
    this.newest = [...this.changes.values()].at(-1)?.at ?? null;
    this.report(known.filter(({ id }) => missing.has(id)));
    this.index();
  }

  private forgetBefore(atMs: number): void {
    for (const [id, { at }] of this.changes) {
      if (this.changes.size <= REMEMBERED_MAX && Date.parse(at) > atMs) return;
      this.changes.delete(id);
    }
  }

  private index(): void {
    this.keys = newestKeys(this.changes.values());
    this.idsByHash = new Map([...this.keys].map(([id, { keyHash }]) => [keyHash, id]));
  }
}

/** The state with the highest version, by key ID. */
export function newestKeys(changes: Iterable<RememberedChange>): Map<string, RememberedKey> {
  const keys = new Map<string, RememberedKey>();
  for (const change of changes) {
    const key = keyOf(change);
    const { targetId } = change;
    if (key === null || targetId === null) continue;
    const other = keys.get(targetId);
    if (other === undefined || other.version < key.version) keys.set(targetId, key);
  }
  return keys;
}
