/** Refused and failed requests kept beside the sample, a second and process (D15). */
export const REFUSALS_PER_SECOND_MAX = 50;

/** Which of the refused and failed requests are kept: the first of each second. */
export class RefusalRate {
  private second = 0;
  private thisSecond = 0;
  private turnedAway = 0;

  /** Those that `takes` has said no to. */
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
