import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { ensureMonthPartitions } from '../database/month-partitions.js';
import { Transactions } from '../database/transactions.js';

/** The month under way and the two after it. */
const MONTHS = 3;
const AGAIN_MS = 24 * 3_600_000;
const RETRY_MS = 60_000;

/**
 * Sees to it that audit rows have a partition to go to, at the start and once a day. The table has no default partition:
 * a month without one would refuse every admin change, so two months are made ahead.
 */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditPartitions.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.ensure();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async ensure(): Promise<void> {
    let nextMs = AGAIN_MS;
    try {
      await this.transactions.run((transaction) =>
        ensureMonthPartitions((sql) => transaction.query(sql), 'audit_logs', new Date(this.clock.now()), MONTHS),
      );
    } catch (error) {
      // A database that is away, or not migrated yet, stops no start; the months of the last run still serve.
      this.logger.warn(`partitions of the audit log could not be made, trying again in a minute: ${String(error)}`);
      nextMs = RETRY_MS;
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.ensure(), nextMs).unref();
  }
}
