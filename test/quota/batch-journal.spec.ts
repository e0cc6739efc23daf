import { describe, expect, test } from '@jest/globals';
import { dayNumberOf, minuteOf, monthOf, type KeyCounts } from '../../src/quota/utc-windows.rules.js';
import { BatchJournal } from '../../src/quota/ledger/batch-journal.js';
import type { StoredMark } from '../../src/quota/ledger/writer-epoch.js';

const NOON = Date.UTC(2030, 4, 15, 12);
const NONE: StoredMark['granted'] = new Map();
const NO_LIMITS = { rejected: null, periods: new Map<number, number>() };

const counts = (keyId: string, count: number, ms = NOON): KeyCounts => ({
  keyId,
  minute: minuteOf(ms),
  minuteCount: count,
  day: dayNumberOf(ms),
  dayCount: count,
  month: monthOf(ms),
  monthCount: count,
});
const asked = (keyId: string, count: number) => [
  {
    keyId,
    count,
    version: 1,
    rpmLimit: 9,
    rpdLimit: 9,
    monthlyLimit: null,
    monthlyTokenLimit: null,
    tokenCounting: 'specification' as const,
  },
];

/** Returns a journal whose first entry, the reconciliation of its first connection, is stored. */
function newJournal(): BatchJournal {
  const journal = new BatchJournal();
  journal.reconcile(null, 0);
  journal.beginReconciliation();
  journal.reconciled(0);
  return journal;
}

function response(journal: BatchJournal, keyId: string, count: number, atMs = 0): number {
  const number = journal.begin(asked(keyId, count));
  journal.confirmed([counts(keyId, count)], atMs);
  return number;
}

describe('BatchJournal after a lost connection', () => {
  test('a batch with a response leaves no unreconciled counts if it is stored', () => {
    const journal = newJournal();
    const batch = response(journal, 'a', 3);
    journal.reconcile({ batch, atMs: NOON, granted: NONE, ...NO_LIMITS }, 1);
    expect(journal.beginReconciliation()).toEqual({ number: batch + 1, counts: [] });
  });

  test('the number of batches that the database has lost is returned', () => {
    const journal = newJournal();
    const batch = response(journal, 'a', 3);
    response(journal, 'b', 1);
    response(journal, 'c', 1);
    expect(journal.reconcile({ batch, atMs: NOON, granted: NONE, ...NO_LIMITS }, 1)).toBe(2);
    expect(journal.reconcile({ batch, atMs: NOON, granted: NONE, ...NO_LIMITS }, 1)).toBe(0);
  });

  test('a batch without a response leaves no unreconciled counts if it is not stored, and its number is reused', () => {
    const journal = newJournal();
    const batch = response(journal, 'a', 3);
    journal.begin(asked('a', 2));
    journal.reconcile({ batch, atMs: NOON, granted: NONE, ...NO_LIMITS }, 1);
    expect(journal.beginReconciliation()).toEqual({ number: batch + 1, counts: [] });
  });

  test('a batch without a response is subtracted by its granted requests if it is stored', () => {
    const journal = newJournal();
    const batch = journal.begin([...asked('a', 3), ...asked('b', 3), ...asked('c', 3)]);
    const granted = new Map([
      ['b', 1],
      ['c', 0],
    ]);
    journal.reconcile({ batch, atMs: NOON, granted, ...NO_LIMITS }, 1);
    expect(journal.beginReconciliation().counts).toEqual([counts('a', -3), counts('b', -1)]);
  });

  test('batches with a response above the stored number are unreconciled, regardless of their age', () => {
    const journal = newJournal();
    const batch = response(journal, 'a', 3);
    response(journal, 'a', 2);
    response(journal, 'b', 1);
    journal.reconcile({ batch, atMs: NOON, granted: NONE, ...NO_LIMITS }, 60_000);
    expect(journal.beginReconciliation().counts).toEqual([counts('a', 2), counts('b', 1)]);
  });

  test('only responses of the last 10 s are unreconciled if the writer has no row', () => {
    const journal = newJournal();
    response(journal, 'a', 3, 1000);
    response(journal, 'b', 2, 9000);
    journal.reconcile(null, 12_000);
    expect(journal.beginReconciliation()).toEqual({ number: 1, counts: [counts('b', 2)] });
  });
});

describe('BatchJournal reconciliations', () => {
  function withUnreconciled(): { journal: BatchJournal; number: number } {
    const journal = newJournal();
    const batch = response(journal, 'a', 3);
    response(journal, 'a', 2);
    journal.reconcile({ batch, atMs: NOON, granted: NONE, ...NO_LIMITS }, 1);
    return { journal, number: journal.beginReconciliation().number };
  }

  test('a reconciliation with an unknown outcome is repeated if it is not stored', () => {
    const { journal, number } = withUnreconciled();
    journal.reconcile({ batch: number - 1, atMs: NOON, granted: NONE, ...NO_LIMITS }, 2);
    expect(journal.beginReconciliation()).toEqual({ number, counts: [counts('a', 2)] });
  });

  test('a reconciliation with an unknown outcome is not repeated if it is stored', () => {
    const { journal, number } = withUnreconciled();
    journal.reconcile({ batch: number, atMs: NOON, granted: NONE, ...NO_LIMITS }, 2);
    expect(journal.beginReconciliation()).toEqual({ number: number + 1, counts: [] });
  });

  test('a reconciliation that the store loses afterwards is unreconciled again', () => {
    const { journal, number } = withUnreconciled();
    journal.reconciled(2);
    journal.reconcile({ batch: number - 1, atMs: NOON, granted: NONE, ...NO_LIMITS }, 3);
    expect(journal.beginReconciliation()).toEqual({ number, counts: [counts('a', 2)] });
  });

  test('counts that are added during a reconciliation stay unreconciled', () => {
    const { journal } = withUnreconciled();
    journal.unreconciled.add(counts('a', 5));
    journal.reconciled(2);
    expect(journal.unreconciled.list()).toEqual([counts('a', 5)]);
  });

  test('only the newest minute, day and month of a key are kept', () => {
    const journal = newJournal();
    const later = NOON + 60_000;
    journal.unreconciled.add(counts('a', 5));
    journal.unreconciled.add(counts('a', 2, later));
    journal.unreconciled.add(counts('a', 1));
    expect(journal.unreconciled.list()).toEqual([{ ...counts('a', 8), minute: minuteOf(later), minuteCount: 2 }]);
  });
});
