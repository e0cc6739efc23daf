import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../platform/database/transactions.js';
import type { Days } from '../days.rules.js';
import { figuresOf, type CostFigures, type FiguresRow } from '../report/cost-figures.rules.js';
import type { CostFilter, CostQuery, ValueQuery } from '../report/cost-query.js';
import { daysStatement, rankingStatement, rowsReadStatement, valuesStatement } from './cost-statements.js';

export interface DayFigures extends CostFigures {
  /** Such as `2026-07-31`. */
  readonly day: string;
}

interface ValueFigures extends CostFigures {
  /** Null without days. */
  readonly day: string | null;
  /** Empty for none. */
  readonly value: string;
}

interface RankedValues {
  /** The number of values, regardless of the page. */
  readonly total: number;
  /** `name` is that of a key or a team. */
  readonly values: readonly { readonly value: string; readonly name: string | null }[];
}

/** Reads sums of costs. All reads in `inSnapshot` see the same state. */
@Injectable()
export class CostReportStore {
  constructor(private readonly source: DataSource) {}

  inSnapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', work);
  }

  /** The days of both ranges that have costs, in order. */
  async days(transaction: Transaction, filter: CostFilter, ranges: readonly [Days, Days]): Promise<DayFigures[]> {
    const rows = await transaction.query<FiguresRow[]>(...daysStatement(filter, ranges));
    return rows.map((row) => ({ day: row.day as string, ...figuresOf(row) }));
  }

  /** Estimates the rows of days that a report reads. Returns 0 for a report that is fast with any range. */
  async rowsRead(transaction: Transaction, query: CostQuery): Promise<number> {
    const statement = rowsReadStatement(query);
    if (statement === null) return 0;
    const [row] = await transaction.query<{ rows: number | null }[]>(...statement);
    return row?.rows ?? 0;
  }

  /** The values of the page in their order. */
  async ranking(transaction: Transaction, query: ValueQuery): Promise<RankedValues> {
    const rows = await transaction.query<Ranked[]>(...rankingStatement(query));
    return { total: rows[0]?.total ?? 0, values: rows.filter(({ value }) => value !== null) as RankedValues['values'] };
  }

  /** The sums of these values, or of each of their days, at most `rowsMax`. @param among hundreds at most */
  async sums(
    transaction: Transaction,
    query: ValueQuery,
    among: readonly string[],
    rowsMax: number,
  ): Promise<ValueFigures[]> {
    const rows = await transaction.query<FiguresRow[]>(...valuesStatement(query, among, rowsMax));
    return rows.map((row) => ({ day: row.day as string | null, value: row.value as string, ...figuresOf(row) }));
  }
}

interface Ranked {
  readonly total: number;
  /** Null in the only row of an empty page. */
  readonly value: string | null;
  readonly name: string | null;
}
