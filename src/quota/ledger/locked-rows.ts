import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { AdmitEntry } from '../quota-counts.js';
import { isLockTimeout, listOf, run, type StatementText } from './prepared-statement.js';

export const LOCK_MS_MAX = 500;
const REMEMBERED_MS = 1000;
const PROBES_MAX = 5;
const PROBE_PAUSE_MS = 2;
/** Leaves time for one more wait for a lock. */
const LAST_PROBE_MS = 800;

const LOCKED_KEYS: StatementText = { name: 'quota-locked-keys', text: sqlFile(import.meta.url, './locked-keys.sql') };
const LOCKED_LIMITS: StatementText = {
  name: 'quota-locked-limits',
  text: sqlFile(import.meta.url, './locked-limits.sql'),
};

interface Statements {
  /** Rejects with a lock timeout if a row could not be locked in time. Nothing was counted then. */
  send(entries: readonly AdmitEntry[]): Promise<void>;
  /** The keys whose rows, or the rows of whose limits, are locked. */
  lockedAmong(entries: readonly AdmitEntry[]): Promise<ReadonlySet<string>>;
  settled(): Promise<unknown> | null;
}

/**
 * Keys whose row, or the row of one of their limits, another session locked for longer than the lock timeout. For one second, their
 * requests are sent only if the row is not locked. Otherwise one long lock would delay the requests of all keys.
 */
export class LockedRows {
  private readonly untilMs = new Map<string, number>();

  async sendAround(entries: readonly AdmitEntry[], withinMs: number, statements: Statements): Promise<void> {
    const beganAtMs = performance.now();
    const [usual, suspects] = this.split(entries, beganAtMs);
    let left = usual.length === 0 || (await trySend(usual, statements)) ? suspects : entries;
    for (let probe = 0; left.length > 0 && probe < PROBES_MAX; probe++) {
      if (performance.now() - beganAtMs > Math.min(LAST_PROBE_MS, withinMs - LOCK_MS_MAX)) break;
      // A row that many sessions share is unlocked within moments, so only the first probes find it locked.
      if (probe > 0) await pause(PROBE_PAUSE_MS);
      left = await sendUnlocked(left, statements);
    }
    for (const { keyId } of left) this.untilMs.set(keyId, performance.now() + REMEMBERED_MS);
  }

  /** @returns the entries to send now, and those whose rows must be checked for a lock first */
  private split(entries: readonly AdmitEntry[], nowMs: number): [readonly AdmitEntry[], readonly AdmitEntry[]] {
    if (this.untilMs.size === 0) return [entries, []];
    for (const [keyId, untilMs] of this.untilMs) if (untilMs < nowMs) this.untilMs.delete(keyId);
    const isLocked = ({ keyId }: AdmitEntry): boolean => this.untilMs.has(keyId);
    return [entries.filter((entry) => !isLocked(entry)), entries.filter(isLocked)];
  }
}

async function sendUnlocked(entries: readonly AdmitEntry[], statements: Statements): Promise<readonly AdmitEntry[]> {
  const locked = await statements.lockedAmong(entries);
  const free = entries.filter(({ keyId }) => !locked.has(keyId));
  if (free.length > 0 && !(await trySend(free, statements))) return entries;
  return entries.filter(({ keyId }) => locked.has(keyId));
}

/** @returns false if a row could not be locked in time; nothing was counted */
async function trySend(entries: readonly AdmitEntry[], { send, settled }: Statements): Promise<boolean> {
  try {
    await send(entries);
    return true;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await settled();
    return false;
  }
}

export async function readLockedKeys(client: Client, entries: readonly AdmitEntry[]): Promise<ReadonlySet<string>> {
  const keyIds = entries.map(({ keyId }) => keyId);
  const locked = new Set((await run(client, LOCKED_KEYS, [listOf(keyIds)])).map((row) => String(row[0])));
  const limitIds = [...new Set(entries.flatMap(limitsOf))];
  if (limitIds.length === 0) return locked;
  const rows = await run(client, LOCKED_LIMITS, [listOf(limitIds.map(String))]);
  const lockedLimits = new Set(rows.map((row) => Number(row[0])));
  for (const entry of entries) if (limitsOf(entry).some((id) => lockedLimits.has(id))) locked.add(entry.keyId);
  return locked;
}

const limitsOf = ({ requests = [] }: AdmitEntry): readonly number[] =>
  requests.flatMap(({ items }) => items.map(({ limitId }) => limitId));
