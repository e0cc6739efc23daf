const RANDOM_DIGITS = 8;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

/**
 * Whether a request is sampled (D15). The last random bits of its ID decide, so that every process and every retry of a write
 * decides the same.
 */
export function isSampled(requestId: string, rate: number): boolean {
  if (rate <= 0) return false;
  return Number.parseInt(requestId.slice(-RANDOM_DIGITS), 16) < rate * RANDOM_RANGE;
}

/**
 * Whether a request counts under `errors` (D33): its status is 4xx or 5xx, or its 200 response contained an error object.
 * A request whose client left before the head does not count.
 * @param status Status of the response.
 * @param errorReported The provider reported an error in a response with a status of success.
 */
export const countsAsError = (status: number, abandoned: boolean, errorReported: boolean): boolean =>
  !abandoned && (status >= 400 || errorReported);

/** Refused and failed requests that are kept in addition to the sample, per second and process (D15). */
export const REFUSALS_PER_SECOND_MAX = 50;

/** Which of the refused and failed requests are kept: the first of each second. */
export class RefusalRate {
  private second = 0;
  private thisSecond = 0;
  private turnedAway = 0;

  /** How many requests `takes` has returned false for. */
  get leftOut(): number {
    return this.turnedAway;
  }

  takes(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.second) {
      this.second = second;
      this.thisSecond = 0;
    }
    this.thisSecond += 1;
    if (this.thisSecond <= REFUSALS_PER_SECOND_MAX) return true;
    this.turnedAway += 1;
    return false;
  }
}
