const RANDOM_DIGITS = 8;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

/** The decision depends only on the last random bits of the ID, so every process decides the same (D15). */
export function isSampled(requestId: string, rate: number): boolean {
  if (rate <= 0) return false;
  return Number.parseInt(requestId.slice(-RANDOM_DIGITS), 16) < rate * RANDOM_RANGE;
}

/** Counts a 4xx or 5xx status, or a 200 response with an error object (D33), unless the client disconnected before. */
export const countsAsError = (status: number, abandoned: boolean, errorReported: boolean): boolean =>
  !abandoned && (status >= 400 || errorReported);

/** Refused and failed requests that are recorded in addition to the sampled ones, per second and process (D15). */
export const REFUSALS_PER_SECOND_MAX = 50;

export class RefusalRate {
  private second = 0;
  private countThisSecond = 0;
  private skipped = 0;

  get leftOut(): number {
    return this.skipped;
  }

  takes(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.second) {
      this.second = second;
      this.countThisSecond = 0;
    }
    this.countThisSecond += 1;
    if (this.countThisSecond <= REFUSALS_PER_SECOND_MAX) return true;
    this.skipped += 1;
    return false;
  }
}
