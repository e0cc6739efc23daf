import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../platform/database/database.service.js';
import { PeriodicService } from '../../platform/database/periodic-task.js';
import { CostBackfillStore } from '../stores/cost-backfill.store.js';
import { BackfillPrices } from './backfill-prices.service.js';

/**
 * Computes the costs of days before the release that introduced costs, once, from their recorded tokens. It starts within ten
 * minutes after the first recorded cost. Processes can stop at any time, and another one continues.
 */
@Injectable()
export class CostBackfill extends PeriodicService {
  private finished = false;

  constructor(
    private readonly store: CostBackfillStore,
    private readonly prices: BackfillPrices,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    super(database, registry, 'costs', {
      name: 'cost backfill',
      failure: 'Costs of earlier days were not filled in',
      everyMs: 600_000,
      retryMs: 60_000,
    });
  }

  async run(): Promise<void> {
    const { signal } = this;
    if (this.finished || signal.aborted) return;
    await Promise.race([this.prices.whenKnown, once(signal, 'abort')]);
    let days = 0;
    while (!signal.aborted) {
      const startedMs = performance.now();
      const step = await this.store.fillNext((usage, day) => this.prices.costOf(usage, day));
      this.finished = step === 'finished';
      if (typeof step === 'string') break;
      days += 1;
      // Leave half of the time to other clients of the database.
      await pause(performance.now() - startedMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    if (days > 0) this.logger.log(`Filled in the costs of ${days} days before costs were recorded`);
  }
}
