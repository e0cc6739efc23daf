import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Transaction } from '../../platform/database/transactions.js';
import type { Dimension, KeyStatisticsRow, ModelCount, StatisticsQuery, StatisticsRow } from './statistics-query.js';
import { LATEST_MS } from '../../platform/validation/timestamp.js';
import { coverOf, withRowsFor, type Cover, type RollupState, type Span } from './rollup-selection.rules.js';

const RANKING = sqlFile(import.meta.url, './ranking.sql');
const ROLLUP_STATE = sqlFile(import.meta.url, './rollup-state.sql');
const EXISTING_SPLITS = sqlFile(import.meta.url, './existing-splits.sql');

/** The rollups and rows that a ranking reads. */
interface RankingSource extends Cover {
  readonly dimension: Dimension;
  /** Null for the rollups of the dimension, otherwise for those of one key or model, split by the dimension. */
  readonly splitOf: 'key' | 'model' | null;
}

/** Reads requests, tokens and latencies of sampled requests (D15). The statements of a result share one snapshot. */
@Injectable()
export class StatisticsReadModel {
  constructor(private readonly source: ReportSource) {}

  rank(dimension: Dimension, query: StatisticsQuery): Promise<StatisticsRow[]> {
    return this.inSnapshot((transaction) => ranking(dimension, query, transaction));
  }

  rankKeys(query: StatisticsQuery): Promise<KeyStatisticsRow[]> {
    return this.inSnapshot(async (transaction) => {
      const ranked = await ranking('key', query, transaction);
      const ids = ranked.map(({ value }) => value);
      const named = await transaction.query<{ id: string; name: string }[]>(
        'select id, name from api_keys where id = any($1::uuid[])',
        [ids],
      );
      const names = new Map(named.map(({ id, name }) => [id, name]));
      return ranked.map(({ models, modelCounts, ...row }) => ({
        ...row,
        keyName: names.get(row.value) ?? null,
        topModels: topModelsOf({ ...row, models, modelCounts }, query.model),
      }));
    });
  }

  private inSnapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', work);
  }
}

async function ranking(dimension: Dimension, query: StatisticsQuery, transaction: Transaction): Promise<RankedRow[]> {
  return transaction.query(RANKING, rankingValues(await rankingSource(dimension, query, transaction), query));
}

/** The parameters of `ranking.sql`. */
export function rankingValues({ dimension, splitOf, rollups, rows }: RankingSource, query: StatisticsQuery): unknown[] {
  const [keyId, { model, sortBy, limit }] = [query.keyId ?? null, query];
  const filters = { key: keyId, model, endpoint: null };
  const direction = query.sortDir === 'asc' ? 1 : -1;
  return [
    rollups.map(({ hours }) => hours),
    rollups.map(({ startMs }) => timeText(startMs)),
    rows.map(({ fromMs, untilMs }) => `[${timeText(fromMs)},${timeText(untilMs)})`),
    keyId,
    model,
    JSON.stringify({ dimension, splitOf, value: filters[splitOf ?? dimension], sortBy, direction }),
    limit,
  ];
}

/** The models are those of a key that is not filtered by model, the most used first. Both are null if there are none. */
interface RankedRow extends StatisticsRow {
  readonly models: readonly string[] | null;
  readonly modelCounts: readonly number[] | null;
}

const topModelsOf = ({ requests, models, modelCounts }: RankedRow, model: string | null): ModelCount[] =>
  model === null
    ? (models ?? []).map((name, place) => ({ model: name, count: modelCounts![place]! }))
    : [{ model, count: requests }];

/**
 * Chooses the source of a ranking:
 *
 * - Without another filter, the rollups of the dimension.
 * - With a filter by another dimension, the rollups of that key or model, if they are split by the ranking's dimension.
 * - With both filters, or without rollups, the rows.
 *
 * This must run first in its REPEATABLE READ transaction, so that all later statements see the same state.
 */
export async function rankingSource(
  dimension: Dimension,
  query: StatisticsQuery,
  transaction: Transaction,
): Promise<RankingSource> {
  const span = { fromMs: query.sinceMs, untilMs: query.untilMs === null ? Infinity : query.untilMs + 1 };
  const state = await rollupState(span, transaction);
  const [keyId, { model }] = [query.keyId ?? null, query];
  const cover = coverOf(span, keyId !== null && model !== null ? null : state);
  if (keyId !== null && dimension !== 'key')
    return splitsIn(cover, { dimension, splitOf: 'key', value: keyId }, transaction);
  if (model !== null && dimension !== 'model')
    return splitsIn(cover, { dimension, splitOf: 'model', value: model }, transaction);
  return { dimension, splitOf: null, ...cover };
}

interface StateRow {
  readonly rolled_from: number;
  readonly rolled_until: number;
  readonly fine_from: number;
  readonly late: number[];
}

/** Returns null if nothing is rolled up yet. Otherwise the state contains only the late hours of the span. */
async function rollupState(span: Span, transaction: Transaction): Promise<RollupState | null> {
  const [state] = await transaction.query<StateRow[]>(ROLLUP_STATE, [timeText(span.fromMs), timeText(span.untilMs)]);
  if (state === undefined) return null;
  return { fromMs: state.rolled_from, untilMs: state.rolled_until, fineFromMs: state.fine_from, lateMs: state.late };
}

/** The rollups of one key or model, split by a dimension. */
interface Split {
  readonly dimension: Dimension;
  readonly splitOf: 'key' | 'model';
  readonly value: string;
}

/** Replaces rollups without a split by their rows. Such rollups have few rows or are not split yet. */
async function splitsIn(
  cover: Cover,
  { dimension, splitOf, value }: Split,
  transaction: Transaction,
): Promise<RankingSource> {
  const split = await transaction.query<{ place: number }[]>(EXISTING_SPLITS, [
    cover.rollups.map(({ hours }) => hours),
    cover.rollups.map(({ startMs }) => timeText(startMs)),
    splitOf,
    value,
    dimension,
  ]);
  const places = new Set(split.map(({ place }) => place));
  return { dimension, splitOf, ...withRowsFor(cover, (index) => !places.has(index + 1)) };
}

const timeText = (ms: number): string => (ms > LATEST_MS ? 'infinity' : new Date(ms).toISOString());
