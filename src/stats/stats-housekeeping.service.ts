import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.service.js';
import { PeriodicService } from '../platform/database/periodic-task.js';
import { monthOf, monthResetsAtMs } from '../quota/utc-windows.rules.js';
import { RequestRowStore } from './stores/request-row.store.js';

const ROWS_PER_STEP = 5000;
/** Half a million rows per hour and process. A process writes at most 180,000. */
const STEPS_MAX = 100;

/** Creates the partitions of request logs in advance and deletes refusals after 7 days, at startup and hourly. */
@Injectable()
export class StatsHousekeeping extends PeriodicService {
  constructor(
    private readonly clock: Clock,
    private readonly requests: RequestRowStore,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    super(database, registry, 'stats', {
      name: 'statistics housekeeping',
      failure: 'Partitions were not created or old refusals were not deleted',
      everyMs: 3_600_000,
      retryMs: 10_000,
    });
  }

  async run(): Promise<void> {
    const nowMs = this.clock.now();
    await this.requests.ensureMonthOf(nowMs);
    await this.requests.ensureMonthOf(monthResetsAtMs(monthOf(nowMs)));
    for (let step = 0; step < STEPS_MAX && !this.signal.aborted; step++) {
      if ((await this.requests.deleteOldRefusals(ROWS_PER_STEP)) < ROWS_PER_STEP) return;
    }
  }
}
