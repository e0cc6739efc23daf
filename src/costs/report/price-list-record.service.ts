import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../platform/database/database.service.js';
import { PeriodicService } from '../../platform/database/periodic-task.js';
import { publishedEdition } from '../pricing/published-prices.js';
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
