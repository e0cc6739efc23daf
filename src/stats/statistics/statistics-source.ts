import type { Transaction } from '../../database/transactions.js';
import { coverOf, withRowsFor, type Block, type Cover, type Ladder, type Span } from './ladder.rules.js';
import type { Filter, Reading } from './statements.js';
import type { Dimension, StatisticsQuery } from './statistics-query.js';

/** Where an answer is read from. */
interface Source {
  readonly reading: Reading;
  /** The first three parameters of every statement: hours and starts of blocks, and spans of rows. */
  readonly cover: readonly [number[], string[], string[]];
  /** The one key and the one model looked at. Blocks name a key as PostgreSQL writes it. */
  readonly filters: readonly [keyId: string | null, model: string | null];
}

/**
 * Blocks of the dimension where nothing else is filtered by. With another filter the blocks of that key or model, as far as
 * they are split by the dimension; with both, and where there is no block, the rows alone. Begins the transaction: all that
 * comes after sees the same.
 */
export async function sourceOf(
  dimension: Dimension,
  query: StatisticsQuery,
  transaction: Transaction,
): Promise<Source> {
  const span = { fromMs: query.sinceMs, untilMs: query.untilMs === null ? Infinity : query.untilMs + 1 };
  const ladder = await ladderIn(span, transaction);
  const keyId = query.keyId?.toLowerCase() ?? null;
  const whole = coverOf(span, keyId !== null && query.model !== null ? null : ladder);
  const splitOf = otherThan(dimension, keyId, query.model);
  const { blocks, rows } = splitOf === null ? whole : await splitIn(whole, dimension, splitOf, transaction);
  return {
    reading: { dimension, splitOf: splitOf?.filter ?? null, exact: blocks.length === 0 },
    cover: [...placesOf(blocks), rows.map(({ fromMs, untilMs }) => `[${timeText(fromMs)},${timeText(untilMs)})`)],
    filters: [keyId, query.model],
  };
}

interface Filtered {
  readonly filter: Filter;
  readonly value: string;
}

/** What a dimension is filtered by beside itself. */
function otherThan(dimension: Dimension, keyId: string | null, model: string | null): Filtered | null {
  if (keyId !== null && dimension !== 'key') return { filter: 'key', value: keyId };
  if (model !== null && dimension !== 'model') return { filter: 'model', value: model };
  return null;
}

/** What of the ladder lies in a span. */
async function ladderIn(span: Span, transaction: Transaction): Promise<Ladder | null> {
  const [state] = await transaction.query<LadderState[]>(LADDER_STATE, [timeText(span.fromMs), timeText(span.untilMs)]);
  if (state === undefined) return null;
  return { fromMs: state.rolled_from, untilMs: state.rolled_until, fineFromMs: state.fine_from, lateMs: state.late };
}

/** Rows for the blocks that are not split: those have few, or their turn has not come. */
async function splitIn(
  cover: Cover,
  dimension: Dimension,
  { filter, value }: Filtered,
  transaction: Transaction,
): Promise<Cover> {
  const asked = [...placesOf(cover.blocks), filter, value, dimension];
  const split = await transaction.query<{ place: number }[]>(SPLIT_BLOCKS, asked);
  const places = new Set(split.map(({ place }) => place));
  return withRowsFor(cover, (_, index) => !places.has(index + 1));
}

const placesOf = (blocks: readonly Block[]): [number[], string[]] => [
  blocks.map(({ hours }) => hours),
  blocks.map(({ startMs }) => timeText(startMs)),
];

const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** As PostgreSQL reads it. */
function timeText(ms: number): string {
  return ms > LATEST_MS ? 'infinity' : new Date(ms).toISOString();
}

interface LadderState {
  readonly rolled_from: number;
  readonly rolled_until: number;
  readonly fine_from: number;
  readonly late: number[];
}

// Sorts and histograms of a million rows stay in memory. Each histogram is unnested once: none is worth remembering.
const LADDER_STATE = `
select date_part('epoch', rolled_from) * 1000 as rolled_from, date_part('epoch', rolled_until) * 1000 as rolled_until,
       date_part('epoch', coalesce(fine_from, rolled_from)) * 1000 as fine_from,
       array(select distinct date_part('epoch', hour) * 1000 from stats_late_hours
              where hour > $1::timestamptz - interval '1 hour' and hour < least($2::timestamptz, rolled_until) order by 1) as late,
       set_config('work_mem', '16MB', true), set_config('enable_memoize', 'off', true)
  from stats_rollup_state where rolled_until is not null`;

const SPLIT_BLOCKS = `
select place::int
  from unnest($1::smallint[], $2::timestamptz[]) with ordinality as ladder(hours, start, place)
 where exists (select from stats_rollup_splits s
                where s.start = ladder.start and s.hours = ladder.hours
                  and s.dimension = $3 and s.value = $4 and s.split_by = $5)`;
