import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../database/database.service.js';
import { PeriodicTask } from '../../database/periodic-task.js';
import { publishedEdition } from '../pricing/published-models.js';
import { ListedPriceStore } from '../stores/listed-price.store.js';

/**
 * Adds the published prices of this release to the database, once. A stored amount names the version and the model of its price, so
 * its prices can be looked up after later releases too.
 */
@Injectable()
export class PriceListRecord implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;
  private recorded = false;

  constructor(
    private readonly store: ListedPriceStore,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    this.task = new PeriodicTask(database, registry, {
      name: 'price list record',
      logger: new Logger('costs'),
      failure: 'The published prices were not recorded',
      run: () => this.run(),
      everyMs: 3_600_000,
      retryMs: 60_000,
    });
  }

  onApplicationBootstrap(): void {
    void this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  async run(): Promise<void> {
    if (this.recorded) return;
    const published = publishedEdition();
    if (!(await this.store.has(published.edition))) await this.store.add(published);
    this.recorded = true;
  }
}
