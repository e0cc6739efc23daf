import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  COARSE_HOURS,
  coverOf,
  startOf,
  withRowsFor,
  type Cover,
  type RollupState,
  type Span,
} from '../../../src/stats/aggregates/rollup-selection.rules.js';
import { DAY, HOUR } from '../../support/statistics-sample.js';

const BEGUN = Date.UTC(2026, 0, 3, 5);
const LONGEST_MS = 600 * DAY;

const hours = (max: number) => fc.integer({ min: 0, max });
const rollupStates: fc.Arbitrary<RollupState> = fc
  .tuple(hours(3000), hours(3000), hours(3000), fc.array(fc.integer({ min: -50, max: 3000 }), { maxLength: 5 }))
  .map(([from, length, fine, late]) => {
    const fromMs = startOf(COARSE_HOURS, BEGUN + from * HOUR);
    const untilMs = fromMs + length * HOUR;
    const fineFromMs = Math.min(startOf(COARSE_HOURS, fromMs + fine * HOUR), startOf(COARSE_HOURS, untilMs));
    const lateMs = [...new Set(late)].map((hour) => fromMs + hour * HOUR).filter((ms) => ms < untilMs);
    return { fromMs, untilMs, fineFromMs, lateMs: lateMs.sort((a, b) => a - b) };
  });
const spans: fc.Arbitrary<Span> = fc
  .tuple(
    fc.integer({ min: -400 * HOUR, max: 6000 * HOUR }),
    fc.oneof(fc.integer({ min: 0, max: LONGEST_MS }), fc.constant(Infinity)),
  )
  .map(([from, length]) => ({ fromMs: BEGUN + from, untilMs: BEGUN + from + length }));

const partsOf = ({ rollups, rows }: Cover): Span[] =>
  [...rows, ...rollups.map(({ hours, startMs }) => ({ fromMs: startMs, untilMs: startMs + hours * HOUR }))].sort(
    (a, b) => a.fromMs - b.fromMs,
  );
const lengthOf = (parts: readonly Span[]) =>
  parts.reduce((sum, { fromMs, untilMs }) => sum + Math.max(0, untilMs - fromMs), 0);
/** Replaces an infinite end with a date far in the future, so that lengths can be compared. */
const finite = ({ fromMs, untilMs }: Span): Span => ({ fromMs, untilMs: Math.min(untilMs, BEGUN + 9000 * HOUR) });

describe('the rollups and row ranges that cover a time span', () => {
  test('a cover contains every moment of the span once, except moments before the first row', () => {
    fc.assert(
      fc.property(spans, rollupStates, (span, state) => {
        const parts = partsOf(coverOf(span, state)).map(finite);
        for (const [i, { fromMs, untilMs }] of parts.entries()) {
          expect(fromMs).toBeLessThan(untilMs);
          expect(fromMs).toBeGreaterThanOrEqual(span.fromMs);
          expect(untilMs).toBeLessThanOrEqual(span.untilMs);
          expect(fromMs).toBeGreaterThanOrEqual(parts[i - 1]?.untilMs ?? -Infinity);
        }
        const { fromMs, untilMs } = finite(span);
        const clipped = (part: Span): Span => ({
          fromMs: Math.max(fromMs, part.fromMs),
          untilMs: Math.min(untilMs, part.untilMs),
        });
        const needed = [{ fromMs: state.fromMs, untilMs: Infinity }].concat(
          state.lateMs.filter((ms) => ms < state.fromMs).map((ms) => ({ fromMs: ms, untilMs: ms + HOUR })),
        );
        expect(lengthOf(parts)).toBe(lengthOf(needed.map(clipped)));
      }),
    );
  });

  test('a cover uses only rollups that exist and that contain no late hour', () => {
    fc.assert(
      fc.property(spans, rollupStates, (span, state) => {
        for (const { hours, startMs } of coverOf(span, state).rollups) {
          const endMs = startMs + hours * HOUR;
          expect(startMs % (hours * HOUR)).toBe(0);
          expect(endMs).toBeLessThanOrEqual(state.untilMs);
          expect(startMs).toBeGreaterThanOrEqual(state.fromMs);
          expect(hours >= COARSE_HOURS || startMs >= state.fineFromMs).toBe(true);
          expect(state.lateMs.filter((ms) => ms >= startMs && ms < endMs)).toEqual([]);
        }
      }),
    );
  });

  test('a cover has at most 24 rollups shorter than 256 hours, and at most an hour of rows at each edge', () => {
    fc.assert(
      fc.property(spans, rollupStates, (span, given) => {
        const state = { ...given, fineFromMs: given.fromMs, lateMs: [] };
        const closed = { fromMs: span.fromMs, untilMs: Math.min(span.untilMs, state.untilMs) };
        const { rollups, rows } = coverOf(closed, state);
        expect(rollups.filter(({ hours }) => hours < 256).length).toBeLessThanOrEqual(24);
        if (rollups.length > 0) expect(lengthOf(rows)).toBeLessThan(2 * HOUR);
      }),
    );
  });

  test('row ranges replace missing rollups without changing the covered moments', () => {
    fc.assert(
      fc.property(spans, rollupStates, fc.infiniteStream(fc.boolean()), (span, state, missing) => {
        const whole = coverOf(span, state);
        const absent = new Set(whole.rollups.filter(() => missing.next().value));
        const { rollups, rows } = withRowsFor(whole, (index) => absent.has(whole.rollups[index]!));
        expect(rollups).toEqual(whole.rollups.filter((rollup) => !absent.has(rollup)));
        const parts = partsOf({ rollups, rows }).map(finite);
        expect(lengthOf(parts)).toBe(lengthOf(partsOf(whole).map(finite)));
        for (const [i, { fromMs }] of parts.entries()) {
          expect(fromMs).toBeGreaterThanOrEqual(parts[i - 1]?.untilMs ?? -Infinity);
        }
        for (const [i, { fromMs }] of rows.entries()) expect(fromMs).not.toBe(rows[i - 1]?.untilMs);
      }),
    );
  });

  test('a span is read only from rows while nothing is rolled up', () => {
    const span = { fromMs: BEGUN, untilMs: Infinity };
    expect(coverOf(span, null)).toEqual({ rollups: [], rows: [span] });
    const empty = { fromMs: BEGUN, untilMs: BEGUN, fineFromMs: BEGUN, lateMs: [] };
    expect(coverOf(span, empty)).toEqual({ rollups: [], rows: [span] });
    expect(coverOf({ fromMs: BEGUN, untilMs: BEGUN }, null)).toEqual({ rollups: [], rows: [] });
  });

  test('a span that starts centuries before the first row needs no additional rollups or rows', () => {
    const state = { fromMs: BEGUN, untilMs: BEGUN + 10 * DAY, fineFromMs: BEGUN, lateMs: [BEGUN - 9000 * HOUR] };
    const { rollups, rows } = coverOf({ fromMs: Date.parse('0001-01-01T00:00:00Z'), untilMs: Infinity }, state);
    expect(rollups.length).toBeLessThan(24);
    expect(rows).toEqual([
      { fromMs: BEGUN - 9000 * HOUR, untilMs: BEGUN - 8999 * HOUR },
      { fromMs: BEGUN + 10 * DAY, untilMs: Infinity },
    ]);
  });
});
