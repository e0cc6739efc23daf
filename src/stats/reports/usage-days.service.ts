import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { ClosedDays } from '../../platform/database/closed-days.js';
import { Database } from '../../platform/database/database.service.js';
import { UsageDayStore } from './stores/usage-day.store.js';

/** Closes days of usage after their end. */
@Injectable()
export class UsageDays extends ClosedDays {
  constructor(days: UsageDayStore, database: Database, registry: SchedulerRegistry) {
    const failure = 'Days of usage were not closed';
    super(days, database, registry, { name: 'usage days', logger: 'stats', failure, periodsPerRun: 400 });
  }
}
