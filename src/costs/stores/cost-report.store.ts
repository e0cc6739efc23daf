import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Transaction } from '../../platform/database/transactions.js';
import { mergedDays, type Days } from '../days.rules.js';
import { figuresOf, type CostFigures, type FiguresRow } from '../report/cost-figures.rules.js';
import {
  dimensionOf,
  isByDay,
  STORED_DIMENSIONS,
  type CostQuery,
  type Dimension,
  type StoredDimension,
} from '../report/cost-query.js';
import { filterValues, type RowFilter } from '../report/row-filter.read-model.js';

const DAYS = sqlFile(import.meta.url, './cost-days.sql');
const RANKING = sqlFile(import.meta.url, './cost-ranking.sql');
const VALUES = sqlFile(import.meta.url, './cost-values.sql');
const ROWS_READ = sqlFile(import.meta.url, './cost-rows-read.sql');

/** A query whose filter lists the keys instead of a team or tag. */
interface StoredQuery extends Omit<CostQuery, 'filter'> {
  readonly filter: RowFilter;
}

/** A query whose grouping has a dimension besides the day. */
export interface StoredValueQuery extends StoredQuery {
  readonly dimension: Dimension;
}

export interface DayFigures extends CostFigures {
  /** Such as `2026-07-31`. */
  readonly day: string;
}

interface ValueFigures extends CostFigures {
  /** Null if there are no days. */
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
  constructor(private readonly source: ReportSource) {}

  inSnapshot<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', work);
  }

  /** The days of both ranges that have costs, in order. A day in both ranges counts once. */
  async days(transaction: Transaction, filter: RowFilter, ranges: readonly [Days, Days]): Promise<DayFigures[]> {
    const merged = mergedDays(...ranges);
    const [firsts, lasts] = [merged.map(({ from }) => from), merged.map(({ to }) => to)];
    const { daySums } = readingOf(filter, null, true);
    const values = [...filterValues(filter), firsts, lasts, daySums];
    const rows = await transaction.query<FiguresRow[]>(DAYS, values);
    return rows.map((row) => ({ day: row.day as string, ...figuresOf(row) }));
  }

  /** Estimates the rows of days that a report reads. Returns 0 for a report that is fast with any range. */
  async rowsRead(transaction: Transaction, query: StoredQuery): Promise<number> {
    if (!readsAllRows(query)) return 0;
    const [row] = await transaction.query<{ rows: number | null }[]>(ROWS_READ, [query.days.from, query.days.to]);
    return row?.rows ?? 0;
  }

  /** The values of the page in their order. */
  async ranking(transaction: Transaction, query: StoredValueQuery): Promise<RankedValues> {
    const { sort, limit, offset } = query;
    const rows = await transaction.query<Ranked[]>(RANKING, [...valuesOf(query, false), sort, limit, offset]);
    return { total: rows[0]?.total ?? 0, values: rows.filter(({ value }) => value !== null) as RankedValues['values'] };
  }

  /**
   * The sums of these values, or of each of their days, at most `rowsMax`.
   * @param among hundreds at most, because PostgreSQL searches them one after the other
   */
  async sums(
    transaction: Transaction,
    query: StoredValueQuery,
    among: readonly string[],
    rowsMax: number,
  ): Promise<ValueFigures[]> {
    const values = [...valuesOf(query, isByDay(query.grouping)), among, rowsMax];
    const rows = await transaction.query<FiguresRow[]>(VALUES, values);
    return rows.map((row) => ({ day: row.day as string | null, value: row.value as string, ...figuresOf(row) }));
  }
}

/** The first five parameters of `cost-ranking.sql` and `cost-values.sql`. */
const valuesOf = ({ filter, days, dimension }: StoredValueQuery, byDay: boolean): unknown[] => [
  ...filterValues(filter),
  days.from,
  days.to,
  JSON.stringify(readingOf(filter, dimension, byDay)),
];

interface Ranked {
  readonly total: number;
  /** Null in the only row of an empty page. */
  readonly value: string | null;
  readonly name: string | null;
}

/** The tables from which a statement reads costs, and how it groups them. The statements read these fields by name. */
interface Reading {
  readonly dimension: Dimension | null;
  /** The column of `dimension`. */
  readonly stored: StoredDimension | null;
  readonly byDay: boolean;
  /** The dimension of the sums of closed days. Null if they lack a dimension of the filter or the groups. */
  readonly daySums: StoredDimension | 'all' | null;
  /** The dimension that filters the sums of closed months. Null if they are not read. */
  readonly monthSums: StoredDimension | 'all' | null;
}

/** Sums of days have one dimension. Sums of months have two, but no filter by key, because rows of keys have an index. */
function readingOf(filter: RowFilter, dimension: Dimension | null, byDay: boolean): Reading {
  const stored = dimension === 'team' ? 'key' : dimension;
  const filtered = STORED_DIMENSIONS.filter((name) =>
    name === 'key' ? filter.keys !== null : filter[name] !== undefined,
  );
  const [other = 'all', ...others] = filtered.filter((name) => name !== stored);
  const [used = 'all', ...more] = new Set(stored === null ? filtered : [stored, ...filtered]);
  const hasMonths = !byDay && stored !== null && others.length === 0 && other !== 'key';
  return { dimension, stored, byDay, daySums: more.length > 0 ? null : used, monthSums: hasMonths ? other : null };
}

/** Whether a part of a report sums all rows of its days, because neither sums nor the index of keys have what it needs. */
function readsAllRows({ filter, grouping }: StoredQuery): boolean {
  if (filter.keys !== null) return false;
  const dimension = dimensionOf(grouping);
  const hasSums = ({ daySums, monthSums }: Reading) => daySums !== null || monthSums !== null;
  if (!hasSums(readingOf(filter, null, true))) return true;
  if (dimension === null) return false;
  const values = readingOf(filter, dimension, isByDay(grouping));
  return !hasSums(readingOf(filter, dimension, false)) || (!hasSums(values) && values.stored !== 'key');
}
