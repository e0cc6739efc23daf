import { coverOf, type Ladder, type Span } from './ladder.rules.js';
import { LADDER, LADDER_TOP_MODELS } from './ladder-statements.js';
import { ROWS, ROWS_TOP_MODELS } from './row-statements.js';
import type { Statements } from './statement-parts.js';
import type { Dimension, StatisticsQuery } from './statistics-query.js';

/** Where an answer is read from. */
export interface Source {
  readonly statements: Statements;
  readonly topModels: string;
  /** The first four of every statement. */
  readonly parameters: readonly unknown[];
}

/**
 * The ladder where it has a block of the span and nothing but the dimension itself is filtered by; the rows otherwise.
 * @param ladder null: nothing is summed up yet
 */
export function sourceOf(dimension: Dimension, query: StatisticsQuery, span: Span, ladder: Ladder | null): Source {
  const { value, others } = filtersOf(dimension, query);
  const cover = coverOf(span, others ? null : ladder);
  if (cover.blocks.length === 0) {
    const parameters = [query.keyId, query.model, timeText(span.fromMs), timeText(span.untilMs)];
    return { statements: ROWS[dimension], topModels: ROWS_TOP_MODELS, parameters };
  }
  const parameters = [
    value,
    cover.blocks.map(({ hours }) => hours),
    cover.blocks.map(({ startMs }) => timeText(startMs)),
    cover.rows.map(({ fromMs, untilMs }) => `[${timeText(fromMs)},${timeText(untilMs)})`),
  ];
  return { statements: LADDER[dimension], topModels: LADDER_TOP_MODELS, parameters };
}

const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** As PostgreSQL reads it. */
export function timeText(ms: number): string {
  return ms > LATEST_MS ? 'infinity' : new Date(ms).toISOString();
}

/** By which value of the dimension itself, and whether by anything else. */
function filtersOf(dimension: Dimension, { keyId, model }: StatisticsQuery): { value: string | null; others: boolean } {
  switch (dimension) {
    case 'key':
      // Blocks name a key as PostgreSQL writes it.
      return { value: keyId === null ? null : keyId.toLowerCase(), others: model !== null };
    case 'model':
      return { value: model, others: keyId !== null };
    case 'endpoint':
      return { value: null, others: keyId !== null || model !== null };
    default:
      return dimension satisfies never;
  }
}
