import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { PeriodCloser } from '../../platform/database/period-closer.js';
import { Database } from '../../platform/database/database.service.js';
import { CostDayStore } from '../stores/cost-day.store.js';
import { CostMonthStore } from '../stores/cost-month.store.js';

/** Closes days of costs after their end. */
@Injectable()
export class CostDays extends PeriodCloser {
  constructor(days: CostDayStore, database: Database, registry: SchedulerRegistry) {
    const failure = 'Days of costs were not closed';
    super(days, database, registry, { name: 'cost days', logger: 'costs', failure, periodsPerRun: 800 });
  }
}

/** Closes months of costs after their days are closed. */
@Injectable()
export class CostMonths extends PeriodCloser {
  constructor(months: CostMonthStore, database: Database, registry: SchedulerRegistry) {
    const failure = 'Months of costs were not closed';
    super(months, database, registry, { name: 'cost months', logger: 'costs', failure, periodsPerRun: 30 });
  }
}
