import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../database/database.service.js';
import { ensureMonthPartitions, MONTHS_READY } from '../database/month-partitions.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Transactions } from '../database/transactions.js';

/**
 * Creates the monthly partitions of the audit log at startup and every hour, two months ahead. The table has no default
 * partition, so every admin change would fail in a month without one.
 */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(transactions: Transactions, database: Database, registry: SchedulerRegistry) {
    this.task = new PeriodicTask(database, registry, {
      name: 'audit partitions',
      logger: new Logger(AuditPartitions.name),
      failure: 'Cannot create the partitions of the audit log, retrying in one minute',
      run: () =>
        transactions.run((transaction) =>
          ensureMonthPartitions((sql) => transaction.query(sql), 'audit_logs', 'now', MONTHS_READY),
        ),
      everyMs: 3_600_000,
      retryMs: 60_000,
    });
  }

  onApplicationBootstrap(): Promise<void> {
    return this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }
}
