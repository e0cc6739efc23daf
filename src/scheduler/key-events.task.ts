import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database/transactions.js';
import { Outbox } from '../audit/events/outbox.js';
import { monthOf } from '../quota/utc-windows.rules.js';
import type { JobRun, Task } from './job.js';
import { FIRST_KEY, KeyStandingStore } from './stores/key-standing.store.js';
import { keyEvents, type KeyStanding } from './key-warnings.rules.js';

/** A key has at most three events, and the outbox accepts 500 at a time. */
const KEYS_PER_BATCH = 160;
/** More failures are caused by the database, not by a single batch. */
const FAILURES_MAX = 3;

/** Publishes events for keys that expire or approach their monthly limits, once each (D20). Each batch is one transaction. */
@Injectable()
export class KeyEventsTask implements Task {
  readonly name = 'key events';

  constructor(
    private readonly keys: KeyStandingStore,
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
  ) {}

  async carryOut(run: JobRun): Promise<void> {
    const failures: unknown[] = [];
    let afterId = FIRST_KEY;
    for (;;) {
      run.signal.throwIfAborted();
      // The time is read for each batch, because after midnight, events belong to the month of their publication.
      const nowMs = run.nowMs();
      const batch = await this.keys.next(afterId, monthOf(nowMs), KEYS_PER_BATCH);
      const last = batch.at(-1);
      if (last === undefined) break;
      afterId = last.id;
      try {
        await this.publish(batch, nowMs, run);
      } catch (error) {
        failures.push(error);
        if (failures.length > FAILURES_MAX) break;
      }
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} batches of keys failed, first error: ${String(failures[0])}`);
  }

  private async publish(batch: readonly KeyStanding[], nowMs: number, run: JobRun): Promise<void> {
    run.count('keys_looked_at', batch.length);
    const events = batch.flatMap((key) =>
      keyEvents(key, nowMs).map(({ type, data, period }) => ({ type, data, once: { keyId: key.id, period } })),
    );
    const written = await this.transactions.run((transaction) => this.outbox.publishAll(transaction, events));
    events.forEach(({ type }, i) => {
      if (written[i] === true) run.count(type, 1);
    });
  }
}
