/** A close after a response arrives within this time, even from a busy machine. */
export const REST_MS = 100;
/** A connection that stays open for this many requests, with a rest after each, proves that the upstream keeps connections. */
const PROOF_REQUESTS = 32;
/** How long a close during a rest is remembered. Doubles with each close, so that a rare one is not forgotten. */
const DISTRUST_MS_MIN = 60_000;
const DISTRUST_MS_MAX = 3_600_000;
/** How long a close after a rest is remembered. */
const IDLE_TIME_REMEMBERED_MS = 60_000;
/** A request that is sent this much earlier than the end of a proven idle time reaches the upstream before its close. */
const MARGIN_MS = 100;

/**
 * Learns how long one upstream keeps idle connections open. A request that crosses the upstream's close is lost, and cannot be
 * retried, because the upstream might have read it. A connection is therefore reused only while its idle time is between `restMs`
 * and `idleMsMax`. Another connection has outlasted that time, so this upstream does not close connections then.
 */
export class ConnectionReuse {
  /** The minimum idle time; 0 once this upstream is known to keep connections. */
  restMs = REST_MS;
  /** The maximum idle time. It grows with the idle time after which a connection is still open. */
  idleMsMax = 0;
  private requestsKept = 0;
  private distrustMs = DISTRUST_MS_MIN / 2;
  private distrustUntilMs = -Infinity;
  /** The shortest idle time after which a connection was closed, and when that was noted last. */
  private closedAfterMs = Infinity;
  private closedAtMs = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A connection stayed open during a rest, and none was closed during a rest since. */
  get seenKept(): boolean {
    return this.requestsKept > 0;
  }

  /** An idle connection was closed, and none has stayed open far longer since. */
  get seenClosed(): boolean {
    return this.closedAfterMs !== Infinity;
  }

  /** @param requests on an open connection that has rested since the last one */
  onRested(requests: number): void {
    if (this.restMs === 0) return;
    this.requestsKept = Math.max(this.requestsKept, requests);
    if (this.requestsKept >= PROOF_REQUESTS && this.now() >= this.distrustUntilMs) this.restMs = 0;
  }

  /** @param idleMs of the open connection that has been idle for longest */
  onOpen(idleMs: number): void {
    const keptMs = idleMs - MARGIN_MS;
    if (keptMs <= this.idleMsMax) return;
    if (this.closedAfterMs !== Infinity) {
      // It has been idle far longer than those that were closed, so their close had another reason, such as a restart.
      const isOutlasting = idleMs > 2 * this.closedAfterMs + REST_MS;
      if (!isOutlasting && this.now() < this.closedAtMs + IDLE_TIME_REMEMBERED_MS) return;
      this.closedAfterMs = Infinity;
    }
    this.idleMsMax = keptMs;
  }

  /** @param idleMs of the idle connection that the upstream closed */
  onClosed(idleMs: number): void {
    if (idleMs < REST_MS) this.onClosedDuringRest();
    else this.onClosedAfterRest(idleMs);
  }

  /** @param idleMs before the request that got no response, because its connection was closed */
  onLost(idleMs: number): void {
    // A close right after a response is seen by other connections too. One alone can be the fault of the request.
    if (idleMs >= REST_MS) this.onClosedAfterRest(idleMs);
  }

  private onClosedDuringRest(): void {
    const nowMs = this.now();
    if (nowMs >= this.distrustUntilMs) this.distrustMs = Math.min(2 * this.distrustMs, DISTRUST_MS_MAX);
    this.distrustUntilMs = nowMs + this.distrustMs;
    this.restMs = REST_MS;
    this.requestsKept = 0;
  }

  private onClosedAfterRest(idleMs: number): void {
    this.closedAtMs = this.now();
    this.closedAfterMs = Math.min(this.closedAfterMs, idleMs);
    // Half of the observed time, because the close and the next request both take time on the network.
    this.idleMsMax = this.closedAfterMs / 2;
  }
}
