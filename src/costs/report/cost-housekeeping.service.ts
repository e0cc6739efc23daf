import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../database/database.service.js';
import { PeriodicService } from '../../database/periodic-task.js';
import { CostBackfillStore } from '../stores/cost-backfill.store.js';
import { BackfillPrices } from './backfill-prices.service.js';
import { ClosedDays } from '../../database/closed-days.js';
import { CostDayStore, CostMonthStore } from '../stores/closed-costs.store.js';
import { publishedEdition } from '../pricing/published-models.js';
import { ListedPriceStore } from '../stores/listed-price.store.js';

/**
 * Adds the published prices of this release to the database, once. A stored amount names the version and the model of its price, so
 * its prices can be looked up after later releases too.
 */
@Injectable()
export class PriceListRecord extends PeriodicService {
  private recorded = false;

  constructor(
    private readonly store: ListedPriceStore,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    super(database, registry, 'costs', {
      name: 'price list record',
      failure: 'The published prices were not recorded',
      everyMs: 3_600_000,
      retryMs: 60_000,
    });
  }

  async run(): Promise<void> {
    if (this.recorded) return;
    const published = publishedEdition();
    if (!(await this.store.has(published.edition))) await this.store.add(published);
    this.recorded = true;
  }
}

/** Closes days of costs after their end. */
@Injectable()
export class CostDays extends ClosedDays {
  constructor(days: CostDayStore, database: Database, registry: SchedulerRegistry) {
    const failure = 'Days of costs were not closed';
    super(days, database, registry, { name: 'cost days', logger: 'costs', failure, periodsPerRun: 800 });
  }
}

/** Closes months of costs after their days are closed. */
@Injectable()
export class CostMonths extends ClosedDays {
  constructor(months: CostMonthStore, database: Database, registry: SchedulerRegistry) {
    const failure = 'Months of costs were not closed';
    super(months, database, registry, { name: 'cost months', logger: 'costs', failure, periodsPerRun: 30 });
  }
}

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
