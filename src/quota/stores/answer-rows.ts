import type { KeyCounts } from './owed-counts.js';
import type { AdmitAnswer, AdmitEntry, StoredCounts } from './quota-store.js';
import type { TextRow } from './statement.js';

/** Column that admit.sql.ts has after those of look.sql.ts. */
const GRANTED = 10;

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

export function answerOf(row: TextRow): AdmitAnswer {
  const granted = row[GRANTED];
  if (granted == null) return { kind: 'stale', version: Number(row[1]) };
  return { kind: 'decided', granted: Number(granted), counts: countsOf(row) };
}

/** What an answer has counted, for the journal. */
export function countedBy(keyId: string, answer: AdmitAnswer): KeyCounts | null {
  if (answer.kind !== 'decided' || answer.granted === 0) return null;
  const { counts, granted } = answer;
  return {
    keyId,
    minute: counts.minute,
    minuteCount: granted,
    day: counts.day,
    dayCount: granted,
    month: counts.month,
    monthCount: granted,
  };
}

/** The arrays of `req` in admit.sql.ts, as text. */
export function columnsOf(entries: readonly AdmitEntry[]): string[] {
  const columns = ['', '', '', '', '', '', ''];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as AdmitEntry;
    const comma = i === 0 ? '{' : ',';
    columns[0] += comma + entry.keyId;
    columns[1] += comma + String(entry.version);
    columns[2] += comma + String(entry.count);
    columns[3] += comma + String(entry.rpmLimit);
    columns[4] += comma + String(entry.rpdLimit);
    columns[5] += comma + orNull(entry.monthlyLimit);
    columns[6] += comma + orNull(entry.monthlyTokenLimit);
  }
  return columns.map((column) => `${column}}`);
}

const orNull = (limit: number | null): string => (limit === null ? 'NULL' : String(limit));
