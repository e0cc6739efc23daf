import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import { keyRankingOf, rankingOf, type Reading } from './statements.js';
import { sourceOf } from './statistics-source.js';
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
    return this.inSnapshot(async (transaction) => {
      const rows = await ranking<RankedRow>(dimension, query, rankingOf, transaction);
      return rows.map(rowOf);
    });
  }

  /** The same for keys. */
  rankKeys(query: StatisticsQuery): Promise<KeyStatisticsRow[]> {
    return this.inSnapshot(async (transaction) => {
      const ranked = await rankedKeys(query, transaction);
      const names = await namesOf(ranked, transaction);
      return ranked.map((row) => ({ ...row, keyName: names.get(row.value) ?? null }));
    });
  }

  private inSnapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', work);
  }
}

type RankedKey = Omit<KeyStatisticsRow, 'keyName'>;

async function rankedKeys(query: StatisticsQuery, transaction: Transaction): Promise<RankedKey[]> {
  const { model } = query;
  if (model !== null) {
    const rows = await ranking<RankedRow>('key', query, rankingOf, transaction);
    return rows.map((row) => ({ ...rowOf(row), topModels: [{ model, count: row.requests }] }));
  }
  const rows = await ranking<RankedKeyRow>('key', query, keyRankingOf, transaction);
  return rows.map((row) => ({ ...rowOf(row), topModels: topModelsOf(row) }));
}

async function ranking<T>(
  dimension: Dimension,
  query: StatisticsQuery,
  statementOf: (reading: Reading) => string,
  transaction: Transaction,
): Promise<T[]> {
  const { cover, filters, reading } = await sourceOf(dimension, query, transaction);
  const order = [query.sortDir === 'asc' ? 1 : -1, query.limit, query.sortBy];
  return transaction.query<T[]>(statementOf(reading), [...cover, ...filters, ...order]);
}

async function namesOf(rows: readonly RankedKey[], transaction: Transaction): Promise<Map<string, string>> {
  const named = await transaction.query<{ id: string; name: string }[]>(KEY_NAMES, [rows.map(({ value }) => value)]);
  return new Map(named.map(({ id, name }) => [id, name]));
}

const topModelsOf = ({ models, model_counts: counts }: RankedKeyRow): ModelCount[] =>
  (models ?? []).map((model, place) => ({ model, count: counts![place]! }));

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

/** Both null where no request named a model. */
interface RankedKeyRow extends RankedRow {
  readonly models: readonly string[] | null;
  readonly model_counts: readonly number[] | null;
}

const KEY_NAMES = 'select id, name from api_keys where id = any($1::uuid[])';
