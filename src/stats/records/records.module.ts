import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../database/database.module.js';
import { KeyUsage } from './key-usage.read-model.js';
import { RequestLogs } from './request-logs.read-model.js';
import { UsageDayStore } from './stores/usage-day.store.js';
import { UsageDays } from './usage-days.service.js';
import { Usage } from './usage.read-model.js';

/**
 * Request logs and usage, read for the admin. Apart from what records them, which no reader may hold up. Every statement is one
 * look at the database, so that totals and rows agree, and is bounded: a list by its page and a count to 100,000, usage by what is
 * kept of it. Where the database cannot answer in time they throw, and nothing else suffers.
 */
@Module({
  imports: [DatabaseModule],
  providers: [RequestLogs, Usage, KeyUsage, UsageDays, UsageDayStore],
  exports: [RequestLogs, Usage, KeyUsage],
})
export class RecordsModule {}
