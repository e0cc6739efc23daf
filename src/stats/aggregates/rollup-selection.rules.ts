/** Each length is four times the one before. Rollups start at multiples of their length since 1970. */
export const ROLLUP_HOURS = [1, 4, 16, 64, 256] as const;
/** Shorter rollups are kept for the most recent hours only. */
export const COARSE_HOURS = 16;
export const HOUR_MS = 3_600_000;

export type RollupHours = (typeof ROLLUP_HOURS)[number];

/** The extent of the rollups. Times are milliseconds since 1970, at full hours. */
export interface RollupState {
  /** No row is older, except in late hours. */
  readonly fromMs: number;
  /** Every hour before this time is rolled up, except late hours. */
  readonly untilMs: number;
  /** Rollups shorter than `COARSE_HOURS` exist from this time on. It is a multiple of `COARSE_HOURS`. */
  readonly fineFromMs: number;
  /** Hours that received rows after they were rolled up. */
  readonly lateMs: readonly number[];
}

/** A time range from `fromMs` (inclusive) to `untilMs` (exclusive), which can be Infinity. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

interface Rollup {
  readonly hours: RollupHours;
  readonly startMs: number;
}

/** Rollups and row ranges that cover a span without overlap. Times without rows can be left out. */
export interface Cover {
  readonly rollups: readonly Rollup[];
  readonly rows: readonly Span[];
}

const LONGEST_FIRST = ROLLUP_HOURS.toReversed();

/**
 * Returns the fewest rollups that cover a span, and the remaining ranges of rows. These are hours without a rollup, late hours,
 * and up to one hour at each edge, or 16 hours if only coarse rollups exist. At most 24 rollups are shorter than 256 hours.
 * @param state null if nothing is rolled up yet
 */
export function coverOf(span: Span, state: RollupState | null): Cover {
  if (state === null) return { rollups: [], rows: merge([span]) };
  const rolledUp: Span = {
    fromMs: Math.max(span.fromMs, state.fromMs),
    untilMs: Math.max(span.fromMs, Math.min(span.untilMs, state.untilMs)),
  };
  const older = state.lateMs.filter((ms) => ms < state.fromMs).map((ms) => hourWithin(ms, span));
  const { rollups, rows } = coverOfRolledUp(rolledUp, state);
  return { rollups, rows: merge([...older, ...rows, { ...span, fromMs: rolledUp.untilMs }]) };
}

export function withRowsFor(cover: Cover, isMissing: (index: number) => boolean): Cover {
  const missing = cover.rollups
    .filter((_, index) => isMissing(index))
    .map(({ hours, startMs }) => ({ fromMs: startMs, untilMs: startMs + hours * HOUR_MS }));
  const rows = [...cover.rows, ...missing].sort((a, b) => a.fromMs - b.fromMs);
  return { rollups: cover.rollups.filter((_, index) => !isMissing(index)), rows: merge(rows) };
}

function coverOfRolledUp({ fromMs, untilMs }: Span, { fineFromMs, lateMs }: RollupState): Cover {
  const rollups: Rollup[] = [];
  const rows: Span[] = [];
  const outdated = new Set(
    lateMs.flatMap((ms) => ROLLUP_HOURS.map((hours) => nameOf({ hours, startMs: startOf(hours, ms) }))),
  );
  for (let startMs = fromMs; startMs < untilMs;) {
    const hours = LONGEST_FIRST.find(
      (length) =>
        startOf(length, startMs) === startMs &&
        startMs + length * HOUR_MS <= untilMs &&
        (length >= COARSE_HOURS || startMs >= fineFromMs) &&
        !outdated.has(nameOf({ hours: length, startMs })),
    );
    const endMs = hours === undefined ? startOf(1, startMs) + HOUR_MS : startMs + hours * HOUR_MS;
    if (hours === undefined) rows.push({ fromMs: startMs, untilMs: Math.min(endMs, untilMs) });
    else rollups.push({ hours, startMs });
    startMs = endMs;
  }
  return { rollups, rows };
}

/** Returns the start of the rollup that contains `ms`. */
export function startOf(hours: RollupHours, ms: number): number {
  return Math.floor(ms / (hours * HOUR_MS)) * hours * HOUR_MS;
}

const nameOf = ({ hours, startMs }: Rollup): string => `${hours} ${startMs}`;

const hourWithin = (ms: number, span: Span): Span => ({
  fromMs: Math.max(ms, span.fromMs),
  untilMs: Math.min(ms + HOUR_MS, span.untilMs),
});

/** @param spans in time order */
function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (span.fromMs >= span.untilMs) continue;
    if (last !== undefined && last.untilMs === span.fromMs)
      merged[merged.length - 1] = { ...last, untilMs: span.untilMs };
    else merged.push(span);
  }
  return merged;
}
