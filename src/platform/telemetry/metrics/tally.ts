/** The last observation of a bucket that belongs to a sampled trace. */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  /** Milliseconds since 1970 */
  readonly atMs: number;
}

/**
 * Observations of a histogram for one set of labels. The histogram of prom-client hashes labels and allocates for each observation.
 * That costs more than all other metrics of a request together.
 */
export class Tally {
  /** One count for each bucket, not cumulative. The last bucket is above all bounds. */
  readonly counts: number[];
  sum = 0;
  /** One entry for each bucket, or null until a sampled trace is observed */
  exemplars: (Exemplar | undefined)[] | null = null;

  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** @param traceId ID of a sampled trace, which becomes the exemplar of the bucket */
  observe(value: number, traceId: string | null = null): void {
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]!) at += 1;
    this.counts[at]! += 1;
    this.sum += value;
    if (traceId !== null) (this.exemplars ??= [])[at] = { traceId, value, atMs: Date.now() };
  }
}
