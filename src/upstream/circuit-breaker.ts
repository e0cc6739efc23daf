const FAILURES_TO_OPEN = 5;
const OPEN_MS_MIN = 1_000;
const OPEN_MS_MAX = 4_000;

/**
 * Rejects requests to an address after five consecutive connect failures (D22). Other failures show that it is reachable.
 * While open, it lets single requests through as probes, after 1 s, 2 s, and then every 4 s.
 */
export class CircuitBreaker {
  private failures = 0;
  private openMs = OPEN_MS_MIN;
  private openUntilMs = 0;
  private probing = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** While it is open, only probes are sent. */
  get open(): boolean {
    return this.failures >= FAILURES_TO_OPEN;
  }

  /** Open, and no probe is due. Unlike `admit`, it changes nothing. */
  get blocking(): boolean {
    return this.open && this.openUntilMs > this.now();
  }

  /**
   * Returns 0 if the request can be sent, otherwise the seconds until the next probe. If a probe is due, this request becomes the
   * probe. The caller must report whether an admitted request connected.
   */
  admit(): number {
    if (!this.open) return 0;
    const leftMs = this.openUntilMs - this.now();
    if (leftMs > 0) return Math.ceil(leftMs / 1000);
    // If the probe's result is never reported, another probe follows after the same time.
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

  /** A connect failure. Other failures must not be reported. */
  onRefused(): void {
    // While the breaker is open, only the probe is evaluated. Requests that were connecting when it opened provide no new
    // information.
    if (this.open && !this.probing) return;
    if (this.open) this.openMs = Math.min(this.openMs * 2, OPEN_MS_MAX);
    this.probing = false;
    this.failures += 1;
    this.openUntilMs = this.now() + this.openMs;
  }
}
