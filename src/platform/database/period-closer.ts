import type { SchedulerRegistry } from '@nestjs/schedule';
import type { Database } from './database.service.js';
import { PeriodicService } from './periodic-task.js';

/** Days, or longer periods that are identified by their first day. */
export interface ClosablePeriods {
  /** Returns periods that can be closed, newest first. */
  findOpen(count: number): Promise<string[]>;
  /** Returns false, without any effect, if another process is writing to or closing the period. */
  close(period: string, signal: AbortSignal): Promise<boolean>;
}

interface Closing {
  /** Name of the interval in Nest's registry: `usage days`. */
  readonly name: string;
  readonly logger: string;
  readonly failure: string;
  /** More periods than the retention time contains. */
  readonly periodsPerRun: number;
}

/**
 * Closes days or months after their end, at startup and every ten minutes. Every process runs it, but only the first one finds work. Reads
 * of a period that is not closed are slower, with the same result.
 */
export abstract class PeriodCloser extends PeriodicService {
  constructor(
    private readonly periods: ClosablePeriods,
    database: Database,
    registry: SchedulerRegistry,
    private readonly closing: Closing,
  ) {
    const { name, logger, failure } = closing;
    super(database, registry, logger, { name, failure, everyMs: 600_000, retryMs: 10_000 });
  }

  async run(): Promise<void> {
    for (const period of await this.periods.findOpen(this.closing.periodsPerRun)) {
      if (this.signal.aborted) return;
      await this.periods.close(period, this.signal);
    }
  }
}
