import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../database/database.service.js';
import { Upkeep } from '../../database/upkeep.js';
import { UsageDayStore } from './stores/usage-day.store.js';

/** More than are kept. */
const DAYS_A_RUN = 400;

/**
 * Closes days of usage once they are over, at the start and each ten minutes, in every process: who comes second finds nothing to do.
 * A day that is not closed is read row by row, so nothing is wrong while this does not run, only slower.
 */
@Injectable()
export class UsageDays implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly upkeep: Upkeep;

  constructor(
    private readonly days: UsageDayStore,
    database: Database,
  ) {
    this.upkeep = new Upkeep(database, new Logger('stats'), {
      undone: 'Days of usage were not summed up',
      run: () => this.run(),
      ...{ eachMs: 10 * 60_000, againMs: 10_000 },
    });
  }

  onApplicationBootstrap(): void {
    void this.upkeep.begin();
  }

  onModuleDestroy(): Promise<void> {
    return this.upkeep.stop();
  }

  /** Throws when the database cannot be asked. */
  async run(): Promise<void> {
    for (const day of await this.days.open(DAYS_A_RUN)) {
      if (this.upkeep.stopped) return;
      await this.days.close(day);
    }
  }
}
