const FAILURES_TO_OPEN = 5;
const OPEN_MS_MIN = 1_000;
const OPEN_MS_MAX = 4_000;

/**
 * Stops asking an address that refuses connections again and again (D22). It counts failures to connect in a row, and
 * nothing else: an upstream that answers with errors is there. While open, one request a second (later one each four)
 * is let through to see whether it is back.
 */
export class CircuitBreaker {
  private failures = 0;
  private openMs = OPEN_MS_MIN;
  private openUntilMs = 0;
  private probing = false;

  /** @param now milliseconds of any clock that only goes forward */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get open(): boolean {
    return this.failures >= FAILURES_TO_OPEN;
  }

  /** 0: go ahead, and report how the connection went. Else: refuse, and tell the client to wait this long. */
  secondsToWait(): number {
    if (!this.open) return 0;
    const leftMs = this.openUntilMs - this.now();
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    // This one tries. Should it go away without a word, the next may try when the time is over again.
    this.openUntilMs = this.now() + this.openMs;
    this.probing = true;
    return 0;
  }

  onConnected(): void {
    if (this.failures === 0) return;
    this.failures = 0;
    this.probing = false;
    this.openMs = OPEN_MS_MIN;
  }

  onRefused(): void {
    // Requests that were on their way when it opened tell nothing new; the one that was let through does.
    if (this.open && !this.probing) return;
    if (this.open) this.openMs = Math.min(this.openMs * 2, OPEN_MS_MAX);
    this.probing = false;
    this.failures += 1;
    this.openUntilMs = this.now() + this.openMs;
  }
}
