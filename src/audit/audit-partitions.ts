import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { ensureMonthPartitions, MONTHS_READY } from '../database/month-partitions.js';
import { Transactions } from '../database/transactions.js';
import { Upkeep } from '../database/upkeep.js';

/**
 * Sees to it that audit rows have a partition to go to, at the start and hourly. The table has no default partition:
 * a month without one would refuse every admin change, so two months are made ahead.
 */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly upkeep: Upkeep;

  constructor(transactions: Transactions, database: Database) {
    this.upkeep = new Upkeep(database, new Logger(AuditPartitions.name), {
      undone: 'Partitions of the audit log could not be made, trying again in a minute',
      run: () =>
        transactions.run((transaction) =>
          ensureMonthPartitions((sql) => transaction.query(sql), 'audit_logs', 'now', MONTHS_READY),
        ),
      ...{ eachMs: 3_600_000, againMs: 60_000 },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.upkeep.begin();
  }

  async onModuleDestroy(): Promise<void> {
    await this.upkeep.stop();
  }
}
