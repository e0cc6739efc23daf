import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import { rankingSource } from './ranking-source.js';
import { keyRankingStatement, rankingStatement } from './ranking-statement.js';
import type { Dimension, KeyStatisticsRow, ModelCount, StatisticsQuery, StatisticsRow } from './statistics-query.js';

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
