/** How long a request body can take. All three limits lead to 408 `request_timeout` (D7). */
export interface BodyPace {
  /** The longest pause between two chunks. */
  readonly idleMs: number;
  /** The average rate. A body can fall behind it by `allowedLagMs`. 0: no minimum */
  readonly bytesPerSecondMin: number;
  /** The whole body. Infinity: no maximum */
  readonly totalMs: number;
}

const LAG_MS_MAX = 30_000;
const LAG_MS_MIN = 5_000;
const LAG_IDLE_TIMEOUTS = 5;

/** Short idle timeouts shorten it too, because they show that slow clients are not expected. */
export const allowedLagMs = (idleMs: number): number =>
  Math.min(LAG_MS_MAX, Math.max(LAG_MS_MIN, LAG_IDLE_TIMEOUTS * idleMs));

/**
 * Ends the wait for a body that pauses too long, is too slow, or takes too long. One timer checks all three when the earliest of
 * them could have passed, so a chunk only moves two numbers. Time during which the gateway does not read is not counted.
 */
export class BodyDeadline {
  private timer: NodeJS.Timeout | undefined;
  /** The body's time zero by `performance.now()`. Each pause of the gateway moves it forward. */
  private originMs = performance.now();
  /** When the gateway stopped reading. Null: it reads */
  private pausedAtMs: number | null = this.originMs;
  private idleAtMs: number;
  private behindAtMs: number;
  private readonly msPerByte: number;
  /** How far a fast body can get ahead of the rate. At least the idle timeout, so that the rate never shortens a pause. */
  private readonly leadMsMax: number;

  /** @param onPassed called at most once */
  constructor(
    private readonly pace: BodyPace,
    private readonly onPassed: () => void,
  ) {
    const { idleMs, bytesPerSecondMin } = pace;
    const lagMs = allowedLagMs(idleMs);
    this.idleAtMs = idleMs;
    this.behindAtMs = bytesPerSecondMin === 0 ? Infinity : lagMs;
    // Without a minimum, each byte pays for any time.
    this.msPerByte = 1000 / bytesPerSecondMin;
    this.leadMsMax = Math.max(lagMs, idleMs);
  }

  /** The gateway reads, for the first time or again. */
  resume(): void {
    if (this.pausedAtMs === null) return;
    this.originMs += performance.now() - this.pausedAtMs;
    this.pausedAtMs = null;
    this.idleAtMs = this.elapsedMs() + this.pace.idleMs;
    this.timer = setTimeout(BodyDeadline.check, this.leftMs(), this);
  }

  /** The gateway stops reading, for now or for good. */
  pause(): void {
    this.pausedAtMs ??= performance.now();
    clearTimeout(this.timer);
  }

  received(bytes: number): void {
    const elapsedMs = this.elapsedMs();
    this.idleAtMs = elapsedMs + this.pace.idleMs;
    this.behindAtMs = Math.min(this.behindAtMs + bytes * this.msPerByte, elapsedMs + this.leadMsMax);
  }

  private elapsedMs(): number {
    return performance.now() - this.originMs;
  }

  private leftMs(): number {
    return Math.min(this.idleAtMs, this.behindAtMs, this.pace.totalMs) - this.elapsedMs();
  }

  private static check(this: void, deadline: BodyDeadline): void {
    const leftMs = deadline.leftMs();
    if (leftMs > 0) deadline.timer = setTimeout(BodyDeadline.check, leftMs, deadline);
    else deadline.onPassed();
  }
}
