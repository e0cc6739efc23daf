/** Milliseconds. A close that follows a response arrives within it, also from a busy machine. */
const REST_MS = 100;
/** A connection that was still open after so many requests, and a rest after each, is proof that this upstream keeps them. */
const PROOF_REQUESTS = 32;
/** For how long a close within a rest is remembered: longer each time, so that a rare one is not forgotten. */
const DISTRUST_MS_MIN = 60_000;
const DISTRUST_MS_MAX = 3_600_000;
/** For how long a later close is remembered at most. */
const IDLE_TIME_REMEMBERED_MS = 60_000;

/**
 * How long a connection has to be idle, and how long it can be, before it carries the next request. A request that
 * crosses the upstream's close is lost and cannot be sent again: the upstream may have read it. So the window avoids the
 * times at which this upstream was seen to close idle connections, or might.
 */
export class ConnectionReuse {
  /** Shortest idle time, milliseconds; 0 once this upstream is known to keep connections. */
  restMs = REST_MS;
  /** Longest idle time, milliseconds. */
  idleMsMax = Infinity;
  private requestsKept = 0;
  private distrustMs = DISTRUST_MS_MIN / 2;
  private distrustUntilMs = -Infinity;
  private closedAfterMs = Infinity;
  private closedAtMs = -Infinity;

  /** @param now milliseconds of any clock that only goes forward */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a connection has outlasted its rest, and none was closed within it since. */
  get seenKept(): boolean {
    return this.requestsKept > 0;
  }

  /** @param requests that an open connection has carried, rested after the last one of them */
  onRested(requests: number): void {
    this.requestsKept = Math.max(this.requestsKept, requests);
    if (this.requestsKept >= PROOF_REQUESTS && this.now() >= this.distrustUntilMs) this.restMs = 0;
  }

  /** @param idleMs of the connection that has been open and idle for longest */
  onOpen(idleMs: number): void {
    // It outlasts those that were closed by far: they were for another reason, a restart for instance.
    const isOutlasting = idleMs > 2 * this.closedAfterMs + REST_MS;
    if (!isOutlasting && this.now() < this.closedAtMs + IDLE_TIME_REMEMBERED_MS) return;
    this.idleMsMax = Infinity;
    this.closedAfterMs = Infinity;
  }

  /** @param idleMs for which a connection had been idle when the upstream closed it */
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
      // Half: the end of the connection takes time to arrive here, and so does the next request on its way there.
      this.idleMsMax = this.closedAfterMs / 2;
    }
  }
}

const STEP_MS = 10;

/**
 * Time by the turns of the event loop. Where the process is held up, no time passes, whatever the system's clock says:
 * what arrived meanwhile has not been looked at.
 */
export class EventLoopClock {
  /** Milliseconds, in steps of ten. */
  nowMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param isNeeded asked at each step; otherwise the time stops until `run()` is called again */
  constructor(private readonly isNeeded: () => boolean) {}

  /** Keeps no process alive. */
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
