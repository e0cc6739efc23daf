import { METRICS } from './metrics.data.js';
import { Tally } from './tally.js';

/** Keys whose change was heard of and not dated yet: a poll dates them within half a second. */
const UNDATED_MAX = 10_000;

/**
 * How late this process hears of changed keys. A notice comes first and says only which key; the poll behind it says when
 * the database wrote the change. Both clocks are in the figure, so between machines their difference is too.
 */
export class KeyChangeLag {
  readonly tally = new Tally(METRICS.gateway_key_change_lag_seconds.bounds);
  /** When it was first heard of, milliseconds since 1970. */
  private readonly undated = new Map<string, number>();

  /**
   * @param keyId null: anything may have changed, which has no date
   * @param changedAtMs milliseconds since 1970; undefined: not told yet
   */
  hear(keyId: string | null, changedAtMs: number | undefined, nowMs: number): void {
    if (keyId === null) return this.undated.clear();
    const heardAtMs = this.undated.get(keyId) ?? nowMs;
    if (changedAtMs === undefined) {
      if (this.undated.size < UNDATED_MAX) this.undated.set(keyId, heardAtMs);
      return;
    }
    this.undated.delete(keyId);
    this.tally.observe(Math.max(0, heardAtMs - changedAtMs) / 1000);
  }
}
