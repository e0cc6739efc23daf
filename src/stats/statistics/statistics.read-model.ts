import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import type { Ladder, Span } from './ladder.rules.js';
import { sourceOf, timeText, type Source } from './statistics-source.js';
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
  const span = { fromMs: query.sinceMs, untilMs: query.untilMs === null ? Infinity : query.untilMs + 1 };
  const source = sourceOf(dimension, query, span, await ladderIn(span, transaction));
  const { statements, parameters } = source;
  const direction = query.sortDir === 'asc' ? 1 : -1;
  if (query.sortBy === 'p95_latency_ms') {
    const ranked = await transaction.query<RankedRow[]>(statements.byP95, [...parameters, direction, query.limit]);
    return { source, rows: ranked.map((row) => rowOf(row, row)) };
  }
  const order = [direction, query.limit, query.sortBy];
  const totals = await transaction.query<TotalsRow[]>(statements.totals, [...parameters, ...order]);
  if (totals.length === 0) return { source, rows: [] };
  const values = totals.map(({ value }) => value);
  const found = await transaction.query<Percentiles[]>(statements.percentiles, [...parameters, values]);
  const percentiles = new Map(found.map((row) => [row.value, row]));
  return { source, rows: totals.map((row) => rowOf(row, percentiles.get(row.value)!)) };
}

/** What of the ladder lies in a span. The first statement of its transaction, so that all after it see the same. */
async function ladderIn(span: Span, transaction: Transaction): Promise<Ladder | null> {
  const [state] = await transaction.query<LadderState[]>(LADDER_STATE, [timeText(span.fromMs), timeText(span.untilMs)]);
  if (state === undefined) return null;
  return { fromMs: state.rolled_from, untilMs: state.rolled_until, fineFromMs: state.fine_from, lateMs: state.late };
}

async function namesOf(rows: readonly StatisticsRow[], transaction: Transaction): Promise<Map<string, string>> {
  const named = await transaction.query<{ id: string; name: string }[]>(KEY_NAMES, [rows.map(({ value }) => value)]);
  return new Map(named.map(({ id, name }) => [id, name]));
}

async function topModelsOf(
  rows: readonly StatisticsRow[],
  { model }: StatisticsQuery,
  { topModels, parameters }: Source,
  transaction: Transaction,
): Promise<Map<string, ModelCount[]>> {
  if (model !== null) return new Map(rows.map(({ value, requests }) => [value, [{ model, count: requests }]]));
  const counts = await transaction.query<ModelCountRow[]>(topModels, [...parameters, rows.map(({ value }) => value)]);
  const byKey = new Map<string, ModelCount[]>();
  for (const { value, model: used, count } of counts) {
    const models = byKey.get(value);
    if (models === undefined) byKey.set(value, [{ model: used, count }]);
    else models.push({ model: used, count });
  }
  return byKey;
}

/** A bucket may stand for a little more than the slowest request in it took. */
function rowOf(totals: TotalsRow, { p50, p95 }: Pick<Percentiles, 'p50' | 'p95'>): StatisticsRow {
  return {
    value: totals.value,
    requests: totals.requests,
    clientErrors: totals.client_errors,
    serverErrors: totals.server_errors,
    inputTokens: totals.input_tokens,
    outputTokens: totals.output_tokens,
    latencySumMs: totals.latency_sum,
    latencyMaxMs: totals.latency_max,
    p50LatencyMs: Math.min(p50, totals.latency_max),
    p95LatencyMs: Math.min(p95, totals.latency_max),
  };
}

interface LadderState {
  readonly rolled_from: number;
  readonly rolled_until: number;
  readonly fine_from: number;
  readonly late: number[];
}

interface TotalsRow {
  readonly value: string;
  readonly requests: number;
  readonly client_errors: number;
  readonly server_errors: number;
  readonly latency_sum: number;
  readonly latency_max: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface Percentiles {
  readonly value: string;
  readonly p50: number;
  readonly p95: number;
}

type RankedRow = TotalsRow & Percentiles;

interface ModelCountRow extends ModelCount {
  readonly value: string;
}

// Sorts and histograms of a million rows stay in memory with it.
const LADDER_STATE = `
select date_part('epoch', rolled_from) * 1000 as rolled_from, date_part('epoch', rolled_until) * 1000 as rolled_until,
       date_part('epoch', coalesce(fine_from, rolled_from)) * 1000 as fine_from,
       array(select distinct date_part('epoch', hour) * 1000 from stats_late_hours
              where hour > $1::timestamptz - interval '1 hour' and hour < least($2::timestamptz, rolled_until) order by 1) as late,
       set_config('work_mem', '16MB', true)
  from stats_rollup_state where rolled_until is not null`;

const KEY_NAMES = 'select id, name from api_keys where id = any($1::uuid[])';
