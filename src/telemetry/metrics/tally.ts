/**
 * Observations of a histogram for one set of labels. In contrast, prom-client's histogram hashes labels and allocates on each
 * observation. That costs more than all other metrics of a request together.
 */
export class Tally {
  /** Per bucket, not cumulative; the last bucket is above all bounds */
  readonly counts: number[];
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.bounds.length && value > this.bounds[at]!) at += 1;
    this.counts[at]! += 1;
    this.sum += value;
  }
}
