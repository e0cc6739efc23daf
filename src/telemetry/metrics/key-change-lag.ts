import { METRICS } from './metrics.data.js';
import { Tally } from './tally.js';

/** Maximum number of changes whose time is not known yet. The next poll reads the time within half a second. */
const UNDATED_MAX = 10_000;

/**
 * Measures the delay until a key change reaches this process. The notification comes first, with the key ID only; the next poll
 * adds the time of the change. The delay compares two clocks, so it includes their difference.
 */
export class KeyChangeLag {
  readonly tally = new Tally(METRICS.gateway_key_change_lag_seconds.bounds);
  /** By key ID: when the change was first reported, milliseconds since 1970 */
  private readonly undated = new Map<string, number>();

  /** @param keyId null: any key might have changed @param changedAtMs milliseconds since 1970; undefined: not known yet */
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
