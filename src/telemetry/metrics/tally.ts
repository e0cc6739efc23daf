/**
 * What one histogram has observed for one set of labels. Plain numbers, because prom-client's own children hash their labels
 * and allocate at each observation, which is more than all the rest that a request's metrics cost.
 */
export class Tally {
  /** Observations by bucket, not cumulative; the last is above all bounds. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper bounds, ascending */
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
