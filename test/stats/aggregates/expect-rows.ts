import { expect } from '@jest/globals';
import type { StatisticsRow } from '../../../src/stats/aggregates/statistics-query.js';

export const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const byValue = (list: readonly StatisticsRow[]) => list.toSorted((a, b) => (a.value < b.value ? -1 : 1));

/** The exact fields only: no percentiles, which rollups approximate, and no names or models of keys. */
const counted = ({
  value,
  requests,
  clientErrors,
  serverErrors,
  inputTokens,
  outputTokens,
  costNanos,
  unpricedRequests,
  latencySumMs,
  latencyMaxMs,
}: StatisticsRow) => ({
  value,
  requests,
  clientErrors,
  serverErrors,
  inputTokens,
  outputTokens,
  latencySumMs,
  latencyMaxMs,
  costNanos,
  unpricedRequests,
});

/**
 * Expects the same rows in any order. Percentiles can differ, but never exceed the maximum. All other fields are exact.
 * @param off maximum relative error of the percentiles
 */
export function expectRows(actual: readonly StatisticsRow[], wanted: readonly StatisticsRow[], off: number): void {
  const [rows, exact] = [byValue(actual), byValue(wanted)];
  expect(rows.map(counted)).toEqual(exact.map(counted));
  // An `expect` for each percentile would take most of the CPU time.
  expect(rows.filter((row, i) => !hasPercentiles(row, exact[i]!, off))).toEqual([]);
}

const hasPercentiles = (row: StatisticsRow, exact: StatisticsRow, off: number): boolean =>
  (['p50LatencyMs', 'p95LatencyMs'] as const).every(
    (name) => Math.abs(row[name] - exact[name]) <= off * exact[name] && row[name] <= exact.latencyMaxMs,
  ) && row.p50LatencyMs <= row.p95LatencyMs;
