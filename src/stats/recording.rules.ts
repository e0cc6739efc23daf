const RANDOM_DIGITS = 8;
const RANDOM_RANGE = 16 ** RANDOM_DIGITS;

/**
 * Returns whether a request is sampled (D15). The decision depends only on the last random bits of its ID, so every process
 * decides the same.
 */
export function isSampled(requestId: string, rate: number): boolean {
  if (rate <= 0) return false;
  return Number.parseInt(requestId.slice(-RANDOM_DIGITS), 16) < rate * RANDOM_RANGE;
}

/**
 * Returns whether a request counts under `errors` (D33): its status is 4xx or 5xx, or its 200 response contained an error
 * object. A request whose client disconnected before the response does not count.
 * @param errorReported whether the provider reported an error in a successful response
 */
export const countsAsError = (status: number, abandoned: boolean, errorReported: boolean): boolean =>
  !abandoned && (status >= 400 || errorReported);

/** Refused and failed requests that are recorded in addition to the sampled ones, per second and process (D15). */
export const REFUSALS_PER_SECOND_MAX = 50;

/** Selects the refused and failed requests to record: the first ones of each second. */
export class RefusalRate {
  private second = 0;
  private thisSecond = 0;
  private turnedAway = 0;

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
