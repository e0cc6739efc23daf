import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.service.js';
import { Upkeep } from '../database/upkeep.js';
import { monthOf, monthResetsAtMs } from '../quota/windows.js';
import { OldRefusalsStore } from './stores/old-refusals.store.js';
import { RequestRowStore } from './stores/request-row.store.js';

const ROWS_A_STEP = 5000;
/** Half a million rows an hour: more than ten processes can write. */
const STEPS_MAX = 100;

/** Makes the sample's partitions ahead, at the start and hourly, and takes away refusals after 7 days, in small steps. */
@Injectable()
export class StatsHousekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly upkeep: Upkeep;

  constructor(
    private readonly clock: Clock,
    private readonly requests: RequestRowStore,
    private readonly oldRefusals: OldRefusalsStore,
    database: Database,
  ) {
    this.upkeep = new Upkeep(database, new Logger('stats'), {
      undone: 'Partitions and old refusals were not seen to',
      run: () => this.run(),
      ...{ eachMs: 3_600_000, againMs: 10_000 },
    });
  }

  onApplicationBootstrap(): void {
    void this.upkeep.begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.upkeep.stop();
  }

  /** Safe in several processes at once. Throws when the database cannot be asked. */
  async run(): Promise<void> {
    const nowMs = this.clock.now();
    await this.requests.ensureMonthOf(nowMs);
    await this.requests.ensureMonthOf(monthResetsAtMs(monthOf(nowMs)));
    for (let step = 0; step < STEPS_MAX && !this.upkeep.stopped; step++) {
      if ((await this.oldRefusals.delete(ROWS_A_STEP)) < ROWS_A_STEP) return;
    }
  }
}
