import { expect } from '@jest/globals';
import type { StatisticsRow } from '../../../src/stats/aggregates/statistics-query.js';

export const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const byValue = (list: readonly StatisticsRow[]) => list.toSorted((a, b) => bytewise(a.value, b.value));

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
  ...{ value, requests, clientErrors, serverErrors, inputTokens, outputTokens, latencySumMs, latencyMaxMs },
  ...{ costNanos, unpricedRequests },
});

/**
 * Expects the same rows in any order. Percentiles can differ, but never exceed the maximum. All other fields are exact.
 * @param off maximum relative error of the percentiles
 */
export function expectRows(actual: readonly StatisticsRow[], wanted: readonly StatisticsRow[], off: number): void {
  expect(byValue(actual).map(counted)).toEqual(byValue(wanted).map(counted));
  for (const [i, row] of byValue(actual).entries()) {
    const exact = byValue(wanted)[i]!;
    for (const name of ['p50LatencyMs', 'p95LatencyMs'] as const) {
      expect(Math.abs(row[name] - exact[name])).toBeLessThanOrEqual(off * exact[name]);
      expect(row[name]).toBeLessThanOrEqual(exact.latencyMaxMs);
    }
    expect(row.p50LatencyMs).toBeLessThanOrEqual(row.p95LatencyMs);
  }
}
