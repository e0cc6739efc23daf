import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { PeriodCloser } from '../../platform/database/period-closer.js';
import { Database } from '../../platform/database/database.service.js';
import { UsageDayStore } from './stores/usage-day.store.js';

/** Closes days of usage after their end. */
@Injectable()
export class UsageDays extends PeriodCloser {
  constructor(days: UsageDayStore, database: Database, registry: SchedulerRegistry) {
    const failure = 'Days of usage were not closed';
    super(days, database, registry, { name: 'usage days', logger: 'stats', failure, periodsPerRun: 400 });
  }
}
