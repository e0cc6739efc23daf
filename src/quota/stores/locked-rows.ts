import type { Client } from 'pg';
import type { AdmitEntry } from '../quota-counts.js';
import { listOf, run, type StatementText } from './prepared-statement.js';

const REMEMBERED_MS = 1000;

/**
 * Keys whose row another session locked for longer than the lock timeout. For one second, their requests are sent only if the
 * row is free. Otherwise one long lock would delay the requests with all keys.
 */
export class LockedRows {
  private readonly untilMs = new Map<string, number>();

  add(entries: readonly AdmitEntry[], nowMs: number): void {
    for (const { keyId } of entries) this.untilMs.set(keyId, nowMs + REMEMBERED_MS);
  }

  /** @returns the entries to send now, and those whose rows must be checked for a lock first */
  split(entries: readonly AdmitEntry[], nowMs: number): [readonly AdmitEntry[], readonly AdmitEntry[]] {
    if (this.untilMs.size === 0) return [entries, []];
    for (const [keyId, untilMs] of this.untilMs) if (untilMs < nowMs) this.untilMs.delete(keyId);
    const isLocked = ({ keyId }: AdmitEntry): boolean => this.untilMs.has(keyId);
    return [entries.filter((entry) => !isLocked(entry)), entries.filter(isLocked)];
  }
}

export async function readLockedKeys(client: Client, keyIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await run(client, LOCKED_KEYS, [listOf(keyIds)]);
  return new Set(rows.map((row) => String(row[0])));
}

const LOCKED_KEYS: StatementText = {
  name: 'quota-locked-keys',
  text: `
with free as materialized (
  select key_id from key_quota where key_id = any($1::uuid[]) order by key_id for no key update skip locked
)
select key_id from key_quota q where key_id = any($1::uuid[]) and not exists (select from free f where f.key_id = q.key_id)`,
};
