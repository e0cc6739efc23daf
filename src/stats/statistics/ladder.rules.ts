/** Hours in a block. Each is four of the one before, and blocks begin at multiples of their length since 1970. */
export const LEVELS = [1, 4, 16, 64, 256] as const;
/** Blocks shorter than this are kept for the youngest hours only. */
export const COARSE_HOURS = 16;
export const HOUR_MS = 3_600_000;

export type Level = (typeof LEVELS)[number];

/** How far the ladder reaches: times are milliseconds since 1970 and whole hours. */
export interface Ladder {
  /** There is no row before it, but in the late hours. */
  readonly fromMs: number;
  /** Every hour before it is summed up, but the late ones. */
  readonly untilMs: number;
  /** Blocks shorter than `COARSE_HOURS` exist from here on: a multiple of `COARSE_HOURS`. */
  readonly fineFromMs: number;
  /** Hours that have got rows since they were summed up. */
  readonly lateMs: readonly number[];
}

/** From `fromMs` on and before `untilMs`, which may be Infinity. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Block {
  readonly hours: Level;
  readonly startMs: number;
}

/** Together they hold each moment of a span once, but for moments that have no row. */
export interface Cover {
  readonly blocks: readonly Block[];
  /** What has to be read from the rows, in the order of time. */
  readonly rows: readonly Span[];
}

const LONGEST_FIRST = LEVELS.toReversed();

/**
 * The fewest blocks that a span can be read from, and the rest of it as spans of rows: up to an hour at each edge, 16 where
 * blocks are coarse, what is not summed up yet, and late hours. Beside blocks of 256 hours there are 24 at most.
 * @param ladder null: nothing is summed up yet
 */
export function coverOf(span: Span, ladder: Ladder | null): Cover {
  if (ladder === null) return { blocks: [], rows: joined([span]) };
  const climbed: Span = {
    fromMs: Math.max(span.fromMs, ladder.fromMs),
    untilMs: Math.max(span.fromMs, Math.min(span.untilMs, ladder.untilMs)),
  };
  const older = ladder.lateMs.filter((ms) => ms < ladder.fromMs).map((ms) => hourWithin(ms, span));
  const { blocks, rows } = climb(climbed, ladder);
  return { blocks, rows: joined([...older, ...rows, { ...span, fromMs: climbed.untilMs }]) };
}

/** The same moments, read from rows where a block is missing. */
export function withRowsFor(cover: Cover, isMissing: (block: Block, index: number) => boolean): Cover {
  const missing = cover.blocks.filter(isMissing).map(({ hours, startMs }) => ({
    fromMs: startMs,
    untilMs: startMs + hours * HOUR_MS,
  }));
  const rows = [...cover.rows, ...missing].sort((a, b) => a.fromMs - b.fromMs);
  return { blocks: cover.blocks.filter((block, index) => !isMissing(block, index)), rows: joined(rows) };
}

function climb({ fromMs, untilMs }: Span, { fineFromMs, lateMs }: Ladder): Cover {
  const blocks: Block[] = [];
  const rows: Span[] = [];
  const spoilt = new Set(lateMs.flatMap((ms) => LEVELS.map((hours) => nameOf({ hours, startMs: startOf(hours, ms) }))));
  for (let startMs = fromMs; startMs < untilMs;) {
    const hours = LONGEST_FIRST.find(
      (level) =>
        startOf(level, startMs) === startMs &&
        startMs + level * HOUR_MS <= untilMs &&
        (level >= COARSE_HOURS || startMs >= fineFromMs) &&
        !spoilt.has(nameOf({ hours: level, startMs })),
    );
    const endMs = hours === undefined ? startOf(1, startMs) + HOUR_MS : startMs + hours * HOUR_MS;
    if (hours === undefined) rows.push({ fromMs: startMs, untilMs: Math.min(endMs, untilMs) });
    else blocks.push({ hours, startMs });
    startMs = endMs;
  }
  return { blocks, rows };
}

/** Start of the block of this length that a moment lies in. */
export function startOf(hours: Level, ms: number): number {
  return Math.floor(ms / (hours * HOUR_MS)) * hours * HOUR_MS;
}

const nameOf = ({ hours, startMs }: Block): string => `${hours} ${startMs}`;

const hourWithin = (ms: number, span: Span): Span => ({
  fromMs: Math.max(ms, span.fromMs),
  untilMs: Math.min(ms + HOUR_MS, span.untilMs),
});

/** Spans in the order of time: empty ones left out, those that touch made one. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans) {
    const last = whole.at(-1);
    if (span.fromMs >= span.untilMs) continue;
    if (last !== undefined && last.untilMs === span.fromMs)
      whole[whole.length - 1] = { ...last, untilMs: span.untilMs };
    else whole.push(span);
  }
  return whole;
}
