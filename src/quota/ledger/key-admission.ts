import type { Client } from 'pg';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Transaction } from '../../platform/database/transactions.js';
import type { AdmitResult, AdmitEntry, StoredCounts } from '../verdict.rules.js';
import { listOf, rowsOf, run, type StatementText, type TextRow } from './prepared-statement.js';

const ADMIT: StatementText = { name: 'quota-admit', text: sqlFile(import.meta.url, './admit-keys.sql') };
const READ: StatementText = { name: 'quota-read-counts', text: sqlFile(import.meta.url, './read-counts.sql') };

export interface Batch {
  readonly writerId: string;
  readonly number: string;
  readonly setVersion: number;
  /** Each key once. */
  readonly entries: readonly AdmitEntry[];
}

/** @returns null if the batch was fenced, so that nothing was counted */
export async function admitKeys(
  client: Client,
  { writerId, number, setVersion, entries }: Batch,
): Promise<Map<string, AdmitResult> | null> {
  const rows = await run(client, ADMIT, [writerId, number, String(setVersion), rowsOf(entries.map(admissionKey))]);
  if (rows.length === 0) return null;
  const results = new Map<string, AdmitResult>();
  for (const row of rows) {
    // A single row of nulls means that none of the keys has a row.
    const keyId = row[0] ?? null;
    if (keyId !== null) results.set(keyId, resultOf(row));
  }
  for (const { keyId } of entries) if (!results.has(keyId)) results.set(keyId, { kind: 'unknown' });
  return results;
}

/** A value of the database's type `admission_key`. */
export function admissionKey(entry: AdmitEntry): string {
  const { keyId, version, count, rpmLimit, rpdLimit, monthlyLimit, monthlyTokenLimit, tokenCounting, requests } = entry;
  const limits = `${rpmLimit},${rpdLimit},${monthlyLimit ?? ''},${monthlyTokenLimit ?? ''}`;
  return `(${keyId},${version},${count},${limits},${tokenCounting === 'all'},${requests !== undefined})`;
}

/** Reads without locking. The result omits keys without a row. */
export async function readCounts(client: Client, keyIds: readonly string[]): Promise<Map<string, StoredCounts>> {
  const rows = await run(client, READ, [listOf(keyIds)]);
  return new Map(rows.map((row) => [String(row[0]), countsOf(row)]));
}

export interface CountedRequests {
  readonly minute: number;
  readonly day: number;
  readonly month: number;
}

export async function readCountsIn(transaction: Transaction, keyId: string): Promise<CountedRequests | null> {
  const [row] = await transaction.query<{ minute_used: number; day_used: number; month_used: string }[]>(READ.text, [
    [keyId],
  ]);
  return row === undefined ? null : { minute: row.minute_used, day: row.day_used, month: Number(row.month_used) };
}

function resultOf(row: TextRow): AdmitResult {
  const [, currentVersion, , , , , , , , , , granted = null, version] = row;
  if (granted !== null) return { kind: 'decided', granted: Number(granted), counts: countsOf(row) };
  // If the version of the key is current, the set of limits has another version.
  return currentVersion === version ? { kind: 'stale-limits' } : { kind: 'stale', version: Number(currentVersion) };
}

function countsOf(row: TextRow): StoredCounts {
  return {
    version: Number(row[1]),
    nowMs: Math.floor(Number(row[2])),
    minute: Number(row[3]),
    minuteUsed: Number(row[4]),
    day: Number(row[5]),
    dayUsed: Number(row[6]),
    month: Number(row[7]),
    monthUsed: Number(row[8]),
    tokens: Number(row[9]),
    additionalTokens: Number(row[10]),
  };
}
