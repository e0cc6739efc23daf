import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { SYSTEM_ACTOR } from '../request-context/caller-session.js';
import { DailyJob } from './daily-job.service.js';
import type { Occasion } from './job.js';
import { Timetable } from './timetable.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Begins the daily job when `GW_DAILY_CRON` says so, and at the start if there was no run in the last day (D20). Looks once
 * an hour whether the last one is overdue: it was stopped midway, or could not begin because the database was away.
 */
@Injectable()
export class DailySchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('DailyJob');
  private timetable: Timetable | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly job: DailyJob,
  ) {}

  onApplicationBootstrap(): void {
    this.timetable = new Timetable(this.config.dailyCron, (dueAtMs) => void this.begin({ kind: 'due', dueAtMs }));
    // Not awaited: a start without database waits for it.
    void this.database.whenReady().then(() => this.catchUp(DAY_MS));
  }

  onModuleDestroy(): void {
    this.stopped = true;
    this.timetable?.stop();
    clearTimeout(this.timer);
  }

  private async catchUp(withinMs: number): Promise<void> {
    await this.begin({ kind: 'missed', withinMs });
    // An hour more than a day: the run of the timetable goes first.
    if (!this.stopped) this.timer = setTimeout(() => void this.catchUp(DAY_MS + HOUR_MS), HOUR_MS).unref();
  }

  /** Never rejects. */
  private async begin(occasion: Occasion): Promise<void> {
    if (this.stopped) return;
    try {
      await this.job.start(SYSTEM_ACTOR, occasion);
    } catch (error) {
      if (!this.stopped) this.logger.warn(`The daily job could not begin: ${String(error)}`);
    }
  }
}
