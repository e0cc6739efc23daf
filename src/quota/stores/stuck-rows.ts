import type { AdmitEntry } from './quota-store.js';

const REMEMBERED_MS = 1000;

/**
 * Keys whose row somebody held for longer than the lock time limit. For a second they are asked for only if the row is
 * free at that moment: else one row held for long would make the requests of all keys wait, call after call.
 */
export class StuckRows {
  private readonly untilMs = new Map<string, number>();

  add(entries: readonly AdmitEntry[], nowMs: number): void {
    for (const { keyId } of entries) this.untilMs.set(keyId, nowMs + REMEMBERED_MS);
  }

  /** @returns the others, and those that are to be asked for with care */
  split(entries: readonly AdmitEntry[], nowMs: number): [readonly AdmitEntry[], readonly AdmitEntry[]] {
    if (this.untilMs.size === 0) return [entries, []];
    for (const [keyId, untilMs] of this.untilMs) if (untilMs < nowMs) this.untilMs.delete(keyId);
    const isStuck = ({ keyId }: AdmitEntry): boolean => this.untilMs.has(keyId);
    return [entries.filter((entry) => !isStuck(entry)), entries.filter(isStuck)];
  }
}
