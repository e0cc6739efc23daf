/** A part of a list. */
export interface Page {
  /** The maximum number of rows. */
  readonly limit: number;
  /** The number of rows before them. */
  readonly offset: number;
}

/**
 * Totals of lists over partitioned logs are exact up to this number, and paging ends there (D17). An exact count would read the
 * whole log. A statement counts up to one more row, which represents any larger number.
 */
export const COUNTED_MAX = 100_000;
