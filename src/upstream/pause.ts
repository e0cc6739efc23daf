/** The longest pause that a provider can ask for. */
const ASKED_MS_MAX = 60_000;

export interface PauseGrowth {
  readonly firstMs: number;
  /** Each pause is this many times as long as the one before. */
  readonly factor: number;
  readonly maxMs: number;
}

/**
 * Keeps requests away from an upstream for a while. Then one request at a time tests it, until one succeeds. Each failed test starts
 * a longer pause.
 */
export class Pause {
  /** Whether it has begun, and no test has succeeded. */
  private begun = false;
  private beganAtMs = 0;
  private untilMs = 0;
  private testUntilMs = 0;
  private lengthMs = 0;

  constructor(
    private readonly growth: PauseGrowth,
    private readonly now: () => number,
  ) {}

  /** @param staleMs how long it lasts without a test after the pause. The model of a pause might never be requested again */
  isActive(staleMs = Infinity): boolean {
    return this.begun && this.now() - this.untilMs <= staleMs;
  }

  /** No request should be sent now. False if it is time for a test. */
  get isBlocking(): boolean {
    if (!this.begun) return false;
    const now = this.now();
    return this.untilMs > now || this.testUntilMs > now;
  }

  /** The time is over, so that the result of the next request decides. */
  get isOver(): boolean {
    return this.untilMs <= this.now();
  }

  /**
   * Begins the next pause. Failures of requests that were sent before the current pause ended do not make it longer.
   * @param askedMs the pause that the provider asks for, or null
   * @param sentAtMs when the failed request was sent
   */
  begin(askedMs: number | null = null, sentAtMs = this.now()): void {
    const now = this.now();
    const asked = Math.min(askedMs ?? 0, ASKED_MS_MAX);
    if (this.begun && sentAtMs < this.untilMs) {
      if (this.untilMs > now) this.untilMs = Math.max(this.untilMs, now + asked);
      return;
    }
    const { firstMs, factor, maxMs } = this.growth;
    this.lengthMs = Math.min(Math.max(firstMs, this.lengthMs * factor), maxMs);
    this.begun = true;
    this.beganAtMs = now;
    this.untilMs = now + Math.max(asked, this.lengthMs);
    this.testUntilMs = 0;
  }

  /** A request is sent. After the pause, it becomes the test. If its result is never reported, another test follows. */
  sent(): void {
    if (!this.begun || this.isBlocking) return;
    this.testUntilMs = this.now() + this.lengthMs;
  }

  /**
   * A request succeeded. It ends the pause if it was sent during the pause or later.
   * @returns whether the pause has ended
   */
  end(sentAtMs = this.now()): boolean {
    if (!this.begun || sentAtMs < this.beganAtMs) return false;
    this.begun = false;
    return true;
  }

  /** The test had no result, for example because its client disconnected. The next request is a test. */
  retest(): void {
    this.testUntilMs = 0;
  }

  /** The next pause has the first length again. */
  forgetLength(): void {
    if (!this.begun) this.lengthMs = 0;
  }
}
