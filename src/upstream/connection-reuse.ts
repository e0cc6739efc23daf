/** A close after a response arrives within this time, even from a busy machine. */
const REST_MS = 100;
/** A connection that stays open for this many requests, with a rest after each, proves that the upstream keeps connections. */
const PROOF_REQUESTS = 32;
/** How long a close during a rest is remembered. Doubles with each close, so that a rare one is not forgotten. */
const DISTRUST_MS_MIN = 60_000;
const DISTRUST_MS_MAX = 3_600_000;
/** How long the idle time before another close is remembered. */
const IDLE_TIME_REMEMBERED_MS = 60_000;

/**
 * Limits the idle time of a connection before its next request. A request that crosses the upstream's close is lost, and
 * cannot be retried, because the upstream might have read it. So connections are not reused at idle times at which this
 * upstream closes them.
 */
export class ConnectionReuse {
  /** The minimum idle time; 0 once this upstream is known to keep connections. */
  restMs = REST_MS;
  idleMsMax = Infinity;
  private requestsKept = 0;
  private distrustMs = DISTRUST_MS_MIN / 2;
  private distrustUntilMs = -Infinity;
  private closedAfterMs = Infinity;
  private closedAtMs = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A connection stayed open during a rest, and none was closed during a rest since. */
  get seenKept(): boolean {
    return this.requestsKept > 0;
  }

  /** @param requests on an open connection that has rested since the last one */
  onRested(requests: number): void {
    this.requestsKept = Math.max(this.requestsKept, requests);
    if (this.requestsKept >= PROOF_REQUESTS && this.now() >= this.distrustUntilMs) this.restMs = 0;
  }

  /** @param idleMs of the open connection that has been idle for longest */
  onOpen(idleMs: number): void {
    // It has been idle far longer than those that were closed, so their close had another reason, such as a restart.
    const isOutlasting = idleMs > 2 * this.closedAfterMs + REST_MS;
    if (!isOutlasting && this.now() < this.closedAtMs + IDLE_TIME_REMEMBERED_MS) return;
    this.idleMsMax = Infinity;
    this.closedAfterMs = Infinity;
  }

  onClosed(idleMs: number): void {
    const nowMs = this.now();
    if (idleMs < REST_MS) {
      if (nowMs >= this.distrustUntilMs) this.distrustMs = Math.min(2 * this.distrustMs, DISTRUST_MS_MAX);
      this.distrustUntilMs = nowMs + this.distrustMs;
      this.restMs = REST_MS;
      this.requestsKept = 0;
    } else {
      this.closedAtMs = nowMs;
      this.closedAfterMs = Math.min(this.closedAfterMs, idleMs);
      // Half of the observed time, because the close and the next request both take time on the network.
      this.idleMsMax = this.closedAfterMs / 2;
    }
  }
}

const STEP_MS = 10;

/** A clock that stops while the process is stalled, because the process does not notice a close during a stall either. */
export class EventLoopClock {
  nowMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param isNeeded checked at each step; if false, the clock stops until the next `run()` */
  constructor(private readonly isNeeded: () => boolean) {}

  run(): void {
    this.timer ??= setInterval(() => this.step(), STEP_MS).unref();
  }

  private step(): void {
    this.nowMs += STEP_MS;
    if (this.isNeeded()) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
