import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../platform/database/transactions.js';
import { keyRankingStatement, rankingStatement, keyIdOf, timeText, type RankingSource } from './latency-ranking.js';
import type { Dimension, KeyStatisticsRow, ModelCount, StatisticsQuery, StatisticsRow } from './statistics-query.js';
import { coverOf, withRowsFor, type Cover, type RollupState, type Span } from './rollup-selection.rules.js';

/** Reads requests, tokens and latencies of sampled requests (D15). The statements of a result share one snapshot. */
@Injectable()
export class StatisticsReadModel {
  constructor(private readonly source: DataSource) {}

  rank(dimension: Dimension, query: StatisticsQuery): Promise<StatisticsRow[]> {
    return this.inSnapshot((transaction) => ranking(dimension, query, transaction));
  }

  rankKeys(query: StatisticsQuery): Promise<KeyStatisticsRow[]> {
    return this.inSnapshot(async (transaction) => {
      const ranked = await rankedKeys(query, transaction);
      const ids = ranked.map(({ value }) => value);
      const named = await transaction.query<{ id: string; name: string }[]>(
        'select id, name from api_keys where id = any($1::uuid[])',
        [ids],
      );
      const names = new Map(named.map(({ id, name }) => [id, name]));
      return ranked.map((row) => ({ ...row, keyName: names.get(row.value) ?? null }));
    });
  }

  private inSnapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', work);
  }
}

async function ranking(
  dimension: Dimension,
  query: StatisticsQuery,
  transaction: Transaction,
): Promise<StatisticsRow[]> {
  const source = await rankingSource(dimension, query, transaction);
  return transaction.query(...rankingStatement(source, query));
}

async function rankedKeys(
  query: StatisticsQuery,
  transaction: Transaction,
): Promise<Omit<KeyStatisticsRow, 'keyName'>[]> {
  const { model } = query;
  if (model !== null) {
    const rows = await ranking('key', query, transaction);
    return rows.map((row) => ({ ...row, topModels: [{ model, count: row.requests }] }));
  }
  const source = await rankingSource('key', query, transaction);
  const rows = await transaction.query<RankedKeyRow[]>(...keyRankingStatement(source, query));
  return rows.map(({ models, modelCounts, ...row }) => ({ ...row, topModels: topModelsOf(models, modelCounts) }));
}

/** Both are null if no request had a model. */
interface RankedKeyRow extends StatisticsRow {
  readonly models: readonly string[] | null;
  readonly modelCounts: readonly number[] | null;
}

const topModelsOf = (models: RankedKeyRow['models'], counts: RankedKeyRow['modelCounts']): ModelCount[] =>
  (models ?? []).map((model, place) => ({ model, count: counts![place]! }));

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
  const [keyId, { model }] = [keyIdOf(query), query];
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
  // `work_mem` keeps sorts and histograms of a million rows in memory. Each histogram is unnested once, so memoizing is useless.
  const [state] = await transaction.query<StateRow[]>(
    `select date_part('epoch', rolled_from) * 1000 as rolled_from, date_part('epoch', rolled_until) * 1000 as rolled_until,
            date_part('epoch', coalesce(fine_from, rolled_from)) * 1000 as fine_from,
            array(select distinct date_part('epoch', hour) * 1000 from stats_late_hours
                   where not cost_only and hour > $1::timestamptz - interval '1 hour' and hour < least($2::timestamptz, rolled_until) order by 1) as late,
            set_config('work_mem', '16MB', true), set_config('enable_memoize', 'off', true)
       from stats_rollup_state where rolled_until is not null`,
    [timeText(span.fromMs), timeText(span.untilMs)],
  );
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
  const split = await transaction.query<{ place: number }[]>(
    `select place::int
       from unnest($1::smallint[], $2::timestamptz[]) with ordinality as wanted(hours, start, place)
      where exists (select from stats_rollup_splits s
                     where s.start = wanted.start and s.hours = wanted.hours
                       and s.dimension = $3 and s.value = $4 and s.split_by = $5 and s.costs is not null)`,
    [
      cover.rollups.map(({ hours }) => hours),
      cover.rollups.map(({ startMs }) => timeText(startMs)),
      splitOf,
      value,
      dimension,
    ],
  );
  const places = new Set(split.map(({ place }) => place));
  return { dimension, splitOf, ...withRowsFor(cover, (index) => !places.has(index + 1)) };
}
