import { Injectable } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Database } from '../../platform/database/database.service.js';
import { PeriodicService } from '../../platform/database/periodic-task.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { Outbox } from '../../audit/events/outbox.js';
import { isWorthAnAlert } from './forecast.rules.js';
import { LimitFiguresReads } from './limit-figures.read-model.js';
import type { ReadLimit } from './limit.js';
import { amountText, shownPeriod, shownTarget } from './shown-limit.rules.js';

const CLAIM = sqlFile(import.meta.url, './claim-forecasts.sql');
const PAGE_LIMITS = 500;

/**
 * Publishes the event `limit_forecast` if a limit is forecast to be reached within its period, once per limit and period. Each process
 * checks every hour. A row in `limit_alerts` decides which process publishes the event.
 */
@Injectable()
export class LimitForecasts extends PeriodicService {
  constructor(
    private readonly figures: LimitFiguresReads,
    private readonly outbox: Outbox,
    private readonly transactions: Transactions,
    database: Database,
    registry: SchedulerRegistry,
  ) {
    super(database, registry, 'limits', {
      name: 'limit forecasts',
      failure: 'Forecasts of limits were not computed',
      everyMs: 3_600_000,
      retryMs: 60_000,
    });
  }

  /** Returns the number of published events. */
  async run(): Promise<number> {
    let published = 0;
    for (let afterId = 0; !this.signal.aborted;) {
      const page = await this.figures.nextWithForecast(afterId, PAGE_LIMITS);
      const last = page.at(-1);
      if (last === undefined) break;
      afterId = last.limit.id;
      const due = page.filter(isDue);
      if (due.length > 0) published += await this.publish(due);
    }
    return published;
  }

  private publish(due: readonly ReadLimit[]): Promise<number> {
    return this.transactions.run(async (transaction) => {
      const claimed = await claimForecasts(transaction, due);
      const firsts = due.filter(({ limit }) => claimed.has(limit.id));
      await this.outbox.publishAll(transaction, firsts.map(eventOf));
      return firsts.length;
    });
  }
}

/** Records the first forecast of each limit in its period. @returns the IDs of these limits */
async function claimForecasts(transaction: Transaction, due: readonly ReadLimit[]): Promise<ReadonlySet<number>> {
  // Forecasts of rolling periods have no common key, so processes claim one after the other.
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('limit-forecasts', 0))`);
  const forecasts = due.map(({ limit: { id, period }, figures }) => ({
    limit_id: id,
    rolling: period.startsWith('rolling'),
    period: (figures.periodStartedAtMs ?? 0) * 1000,
    used: String(figures.used),
    amount: String(figures.effectiveAmount),
  }));
  const rows = await transaction.query<{ limit_id: string }[]>(CLAIM, [JSON.stringify(forecasts)]);
  return new Set(rows.map(({ limit_id }) => Number(limit_id)));
}

/** A limit without alert thresholds gets no forecast alerts either. */
const isDue = ({ limit, figures: { used, effectiveAmount, forecast } }: ReadLimit): boolean =>
  limit.thresholds.length > 0 && used < effectiveAmount && isWorthAnAlert(limit.period, forecast, Date.now());

/** The fields of `limit_threshold_reached`, which a database trigger writes, with a date instead of the threshold. */
function eventOf({ limit, figures: { used, effectiveAmount, resetsAtMs, forecast } }: ReadLimit) {
  const { id, name, measure, mode } = limit;
  return {
    type: 'limit_forecast' as const,
    data: {
      limit_id: id,
      limit_name: name,
      ...shownTarget(limit),
      measure,
      period: shownPeriod(limit),
      mode,
      used: amountText(measure, used),
      amount: amountText(measure, effectiveAmount),
      resets_at: resetsAtMs === null ? null : new Date(resetsAtMs).toISOString(),
      reached_at: new Date(forecast!.reachedAtMs!).toISOString(),
    },
  };
}
