import type { AdmitAnswer, AdmitEntry, KeyCounts } from './quota-store.js';
import type { StoredCounts } from '../stored-counts.js';
import type { TextRow } from './statement.js';

/** The column that admit.sql.ts has after those of look.sql.ts; null: stale. */
const GRANTED = 10;

export const listOf = (values: readonly string[]): string => `{${values.join(',')}}`;

/** The arrays of `req` in admit.sql.ts. */
export function columnsOf(entries: readonly AdmitEntry[]): string[] {
  return [
    listOf(entries.map((entry) => entry.keyId)),
    listOf(entries.map((entry) => String(entry.version))),
    listOf(entries.map((entry) => String(entry.count))),
    listOf(entries.map((entry) => String(entry.rpmLimit))),
    listOf(entries.map((entry) => String(entry.rpdLimit))),
    listOf(entries.map((entry) => String(entry.monthlyLimit))), // `null` is NULL in an array too
    listOf(entries.map((entry) => String(entry.monthlyTokenLimit))),
  ];
}

/** Adds to `answers` one for each entry. */
export function answersOf(
  entries: readonly AdmitEntry[],
  rows: readonly TextRow[],
  answers: Map<string, AdmitAnswer>,
): void {
  for (const row of rows) {
    const keyId = row[0] ?? null;
    if (keyId !== null) answers.set(keyId, answerOf(row));
  }
  for (const { keyId } of entries) if (!answers.has(keyId)) answers.set(keyId, { kind: 'unknown' });
}

export function countsOf(row: TextRow): StoredCounts {
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
  };
}

/** What the batch has counted, for the journal. */
export function countedIn(rows: readonly TextRow[]): KeyCounts[] {
  const counted: KeyCounts[] = [];
  for (const row of rows) {
    const keyId = row[0] ?? null;
    const granted = Number(row[GRANTED] ?? 0);
    if (keyId === null || granted === 0) continue;
    const [minute, day, month] = [Number(row[3]), Number(row[5]), Number(row[7])];
    counted.push({
      keyId,
      ...{ minute, minuteCount: granted, day, dayCount: granted, month, monthCount: granted },
    });
  }
  return counted;
}

function answerOf(row: TextRow): AdmitAnswer {
  const granted = row[GRANTED] ?? null;
  if (granted === null) return { kind: 'stale', version: Number(row[1]) };
  return { kind: 'decided', granted: Number(granted), counts: countsOf(row) };
}
