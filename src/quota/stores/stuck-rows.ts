import type { Client } from 'pg';
import type { AdmitEntry } from './quota-store.js';
import { run } from './statement.js';
import { UNLOCKED } from './unlocked.sql.js';

const REMEMBERED_MS = 1000;

/**
 * Rows that somebody held for longer than the lock time limit. For a second they are asked for only if they are free at
 * that moment: else one row held for long would make the requests of all keys wait, call after call.
 */
export class StuckRows {
  private readonly untilMs = new Map<string, number>();

  get size(): number {
    return this.untilMs.size;
  }

  add(entries: readonly AdmitEntry[], nowMs: number): void {
    for (const { keyId } of entries) this.untilMs.set(keyId, nowMs + REMEMBERED_MS);
  }

  /** Those of the entries that are to be handled with care; forgets what is over. */
  among(entries: readonly AdmitEntry[], nowMs: number): readonly AdmitEntry[] {
    for (const [keyId, untilMs] of this.untilMs) if (untilMs < nowMs) this.untilMs.delete(keyId);
    return entries.filter(({ keyId }) => this.untilMs.has(keyId));
  }

  /** Keys whose rows nobody holds now. A key without a row counts as one: there is nothing to wait for. */
  async unlockedOf(client: Client, entries: readonly AdmitEntry[]): Promise<ReadonlySet<string>> {
    const rows = await run(client, UNLOCKED, [`{${entries.map(({ keyId }) => keyId).join(',')}}`]);
    return new Set(rows.map((row) => String(row[0])));
  }
}
