import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { AdmitEntry, AdmitResult } from '../verdict.rules.js';
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

/** Sends an admission in one or more parts. The results of a part remain if a later part fails. */
export class AdmissionCall {
  readonly results = new Map<string, AdmitResult>();

  constructor(
    private readonly entries: readonly AdmitEntry[],
    readonly withinMs: number,
    readonly setVersion: number,
  ) {}

  get unanswered(): readonly AdmitEntry[] {
    return this.entries.filter(({ keyId }) => !this.results.has(keyId));
  }
}

interface Statements {
  /** Rejects with a lock timeout if a row could not be locked in time. Nothing was counted then. */
  send(part: readonly AdmitEntry[], setVersion: number): Promise<ReadonlyMap<string, AdmitResult>>;
  /** The keys whose rows, or the rows of whose limits, are locked. */
  lockedAmong(part: readonly AdmitEntry[]): Promise<ReadonlySet<string>>;
}

/**
 * Keys whose row, or the row of one of their limits, another session locked for longer than the lock timeout. For one second, their
 * requests are sent only if the row is not locked. Otherwise one long lock would delay the requests of all keys.
 */
export class LockedRows {
  private readonly untilMs = new Map<string, number>();

  constructor(private readonly statements: Statements) {}

  /** Keys whose rows stay locked get no result. A call that failed can be sent again. */
  async sendAround(call: AdmissionCall): Promise<void> {
    const lastProbeMs = performance.now() + Math.min(LAST_PROBE_MS, call.withinMs - LOCK_MS_MAX);
    await this.send(call, this.withoutRemembered(call.unanswered));
    let left = call.unanswered;
    for (let probe = 0; probe < PROBES_MAX && left.length > 0; probe++) {
      if (performance.now() > lastProbeMs) break;
      // A row that many sessions share is unlocked within moments, so only the first probes find it locked.
      if (probe > 0) await pause(PROBE_PAUSE_MS);
      const locked = await this.statements.lockedAmong(left);
      await this.send(
        call,
        left.filter(({ keyId }) => !locked.has(keyId)),
      );
      left = call.unanswered;
    }
    for (const { keyId } of left) this.untilMs.set(keyId, performance.now() + REMEMBERED_MS);
  }

  private withoutRemembered(entries: readonly AdmitEntry[]): readonly AdmitEntry[] {
    if (this.untilMs.size === 0) return entries;
    const nowMs = performance.now();
    for (const [keyId, untilMs] of this.untilMs) if (untilMs < nowMs) this.untilMs.delete(keyId);
    return entries.filter(({ keyId }) => !this.untilMs.has(keyId));
  }

  /** The part gets no results if a row could not be locked in time. */
  private async send(call: AdmissionCall, part: readonly AdmitEntry[]): Promise<void> {
    if (part.length === 0) return;
    try {
      const results = await this.statements.send(part, call.setVersion);
      for (const [keyId, result] of results) call.results.set(keyId, result);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
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
