import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import { rankingOf, TOP_MODELS } from './statements.js';
import { sourceOf, type Source } from './statistics-source.js';
import type { Dimension, KeyStatisticsRow, ModelCount, StatisticsQuery, StatisticsRow } from './statistics-query.js';

/**
 * Counts, tokens and latencies over the sample (D15). Each answer is of one moment: its statements share a snapshot. How far
 * the summing up has come decides how fast an answer is, never what it says. Every call throws what the database throws, also
 * where a statement takes longer than it may.
 */
@Injectable()
export class StatisticsReadModel {
  constructor(private readonly source: DataSource) {}

  /** The first rows by `sortBy`; those alike by name. */
  rank(dimension: Dimension, query: StatisticsQuery): Promise<StatisticsRow[]> {
    return this.inSnapshot((transaction) => ranking(dimension, query, transaction).then(({ rows }) => rows));
  }

  /** The same for keys. */
  rankKeys(query: StatisticsQuery): Promise<KeyStatisticsRow[]> {
    return this.inSnapshot(async (transaction) => {
      const { rows, source } = await ranking('key', query, transaction);
      const names = await namesOf(rows, transaction);
      const models = await topModelsOf(rows, query, source, transaction);
      return rows.map((row) => ({
        ...row,
        keyName: names.get(row.value) ?? null,
        topModels: models.get(row.value) ?? [],
      }));
    });
  }

  private inSnapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', work);
  }
}

interface Ranking {
  readonly rows: StatisticsRow[];
  readonly source: Source;
}

async function ranking(dimension: Dimension, query: StatisticsQuery, transaction: Transaction): Promise<Ranking> {
  const source = await sourceOf(dimension, query, transaction);
  const order = [query.sortDir === 'asc' ? 1 : -1, query.limit, query.sortBy];
  const parameters = [...source.cover, ...source.filters, ...order];
  const rows = await transaction.query<RankedRow[]>(rankingOf(source.reading), parameters);
  return { source, rows: rows.map(rowOf) };
}

async function namesOf(rows: readonly StatisticsRow[], transaction: Transaction): Promise<Map<string, string>> {
  const named = await transaction.query<{ id: string; name: string }[]>(KEY_NAMES, [rows.map(({ value }) => value)]);
  return new Map(named.map(({ id, name }) => [id, name]));
}

async function topModelsOf(
  rows: readonly StatisticsRow[],
  { model }: StatisticsQuery,
  { cover }: Source,
  transaction: Transaction,
): Promise<Map<string, ModelCount[]>> {
  if (model !== null) return new Map(rows.map(({ value, requests }) => [value, [{ model, count: requests }]]));
  const counts = await transaction.query<ModelCountRow[]>(TOP_MODELS, [...cover, rows.map(({ value }) => value)]);
  const byKey = new Map<string, ModelCount[]>();
  for (const { value, model: used, count } of counts) {
    const models = byKey.get(value);
    if (models === undefined) byKey.set(value, [{ model: used, count }]);
    else models.push({ model: used, count });
  }
  return byKey;
}

const rowOf = (row: RankedRow): StatisticsRow => ({
  value: row.value,
  requests: row.requests,
  clientErrors: row.client_errors,
  serverErrors: row.server_errors,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  latencySumMs: row.latency_sum,
  latencyMaxMs: row.latency_max,
  p50LatencyMs: row.p50,
  p95LatencyMs: row.p95,
});

interface RankedRow {
  readonly value: string;
  readonly requests: number;
  readonly client_errors: number;
  readonly server_errors: number;
  readonly latency_sum: number;
  readonly latency_max: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly p50: number;
  readonly p95: number;
}

interface ModelCountRow extends ModelCount {
  readonly value: string;
}

const KEY_NAMES = 'select id, name from api_keys where id = any($1::uuid[])';
