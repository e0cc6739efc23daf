import { Injectable } from '@nestjs/common';
import { Transactions } from '../database/transactions.js';
import { Outbox } from '../events/outbox.js';
import { monthOf } from '../quota/windows.js';
import type { JobRun, Task } from './job.js';
import { FIRST_KEY, KeyUsageStore } from './stores/key-usage.store.js';
import { keyEvents, type KeyStanding } from './key-events.rules.js';

/** Three events each at most, and the outbox takes 500 at a time. */
const KEYS_A_PORTION = 160;
/** More failures mean that the database fails, not one portion. */
const FAILURES_MAX = 3;

/** Publishes events of keys that expire or near their monthly limits, once each (D20). A portion of keys is one transaction. */
@Injectable()
export class KeyEventsTask implements Task {
  readonly name = 'key events';

  constructor(
    private readonly keys: KeyUsageStore,
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
  ) {}

  async carryOut(run: JobRun): Promise<void> {
    const failures: unknown[] = [];
    let afterId = FIRST_KEY;
    for (;;) {
      run.signal.throwIfAborted();
      // Read again for each portion: the events of a run over midnight belong to the month of their publication.
      const nowMs = run.nowMs();
      const portion = await this.keys.next(afterId, monthOf(nowMs), KEYS_A_PORTION);
      const last = portion.at(-1);
      if (last === undefined) break;
      afterId = last.id;
      try {
        await this.publish(portion, nowMs, run);
      } catch (error) {
        failures.push(error);
        if (failures.length > FAILURES_MAX) break;
      }
    }
    if (failures.length > 0)
      throw new Error(`portions of keys that failed: ${failures.length}, ${String(failures[0])}`);
  }

  private async publish(portion: readonly KeyStanding[], nowMs: number, run: JobRun): Promise<void> {
    run.count('keys_looked_at', portion.length);
    const events = portion.flatMap((key) =>
      keyEvents(key, nowMs).map(({ type, data, period }) => ({ type, data, once: { keyId: key.id, period } })),
    );
    const written = await this.transactions.run((transaction) => this.outbox.publishAll(transaction, events));
    events.forEach(({ type }, i) => {
      if (written[i] === true) run.count(type, 1);
    });
  }
}
