import type { AdmitEntry } from '../quota-counts.js';

/** One admission call. */
export interface Batch {
  readonly writerId: string;
  readonly number: string;
  /** The version of the set of limits from which the claims come. */
  readonly setVersion: number;
  /** Each key once. */
  readonly entries: readonly AdmitEntry[];
}
