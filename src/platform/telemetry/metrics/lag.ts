import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Series } from './metrics.js';
import { METRICS } from './metrics.data.js';
import { Tally } from './tally.js';

/** Maximum number of changes without a time. The next poll reads the time within half a second. */
const UNDATED_MAX = 10_000;

/**
 * Measures the delay until a key change reaches this process. The notification comes first, with the key ID only; the next poll
 * adds the time of the change. The delay compares two clocks, so it includes their difference.
 */
export class KeyChangeLag {
  readonly tally = new Tally(METRICS.gateway_key_change_lag_seconds.bounds);
  /** By key ID: when the change was first reported, milliseconds since 1970 */
  private readonly undated = new Map<string, number>();

  /**
   * @param keyId null if any key might have changed
   * @param changedAtMs milliseconds since 1970, or undefined in a notification
   */
  record(keyId: string | null, changedAtMs: number | undefined, nowMs: number): void {
    if (keyId === null) return this.undated.clear();
    const reportedAtMs = this.undated.get(keyId) ?? nowMs;
    if (changedAtMs === undefined) {
      if (this.undated.size < UNDATED_MAX) this.undated.set(keyId, reportedAtMs);
      return;
    }
    this.undated.delete(keyId);
    this.tally.observe(Math.max(0, reportedAtMs - changedAtMs) / 1000);
  }
}

const SAMPLE_INTERVAL_MS = 10;

/** Node's figures include the interval of its own timer, so `lagOf` subtracts it. */
export class EventLoopLag {
  private readonly delays = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS });

  start(): void {
    this.delays.enable();
  }

  /** The delays since the previous call, in seconds: median, 99th percentile and maximum. */
  read(): Series[] {
    const { delays } = this;
    const lags = [
      { labels: { quantile: '0.5' }, value: lagOf(delays.percentile(50)) },
      { labels: { quantile: '0.99' }, value: lagOf(delays.percentile(99)) },
      { labels: { quantile: '1' }, value: lagOf(delays.max) },
    ];
    delays.reset();
    return lags;
  }
}

const lagOf = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - SAMPLE_INTERVAL_MS / 1000);
