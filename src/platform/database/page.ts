import type { DataSource } from 'typeorm';

/** Selects the rows of a list that one response contains. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface ListStatements {
  readonly rows: string;
  /** Has one row with `total`. */
  readonly count: string;
}

/** Reads a page, and counts all matching rows. @param filters the first parameters of both statements; limit and offset follow */
export async function readPage<Row>(
  source: Pick<DataSource, 'query'>,
  { rows, count }: ListStatements,
  filters: readonly unknown[],
  { limit, offset }: Page,
): Promise<{ total: number; rows: Row[] }> {
  const [{ total }] = await source.query<[{ total: number }]>(count, [...filters]);
  return { total, rows: await source.query<Row[]>(rows, [...filters, limit, offset]) };
}

/**
 * Totals of lists over partitioned logs are exact up to this number, and paging ends there (D17). An exact count would read the
 * whole log. A statement counts up to one more row, which represents any larger number.
 */
export const COUNTED_MAX = 100_000;
