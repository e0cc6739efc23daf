/** A part of a list. */
export interface Page {
  /** The maximum number of rows. */
  readonly limit: number;
  /** The number of rows before them. */
  readonly offset: number;
}
