import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.service.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { DailyJob } from './daily-job.service.js';
import { ProbeJob } from './probe-job.service.js';
import { JOB_NAMES, type JobName, type Occasion } from './job.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVERDUE_CHECK = 'overdue daily job';

/**
 * Starts the daily job by `GW_DAILY_CRON` (D20) and the probes by `GW_PROBE_CRON` (D12). The daily job also starts at startup
 * if none was completed in the last day. An hourly check starts it if a run was aborted or the database was unavailable.
 */
@Injectable()
export class JobSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly registry: SchedulerRegistry,
    private readonly daily: DailyJob,
    private readonly probes: ProbeJob,
  ) {}

  onApplicationBootstrap(): void {
    const { dailyCron, probeCron } = this.config;
    this.addCronJob('daily', dailyCron);
    if (probeCron !== null) this.addCronJob('probes', probeCron);
    // This is not awaited, because the gateway also starts without a database.
    void this.database.whenReady().then(() => this.catchUp());
  }

  /** Nest stops cron jobs and intervals only after this hook has run in every module. */
  onModuleDestroy(): void {
    this.stopped = true;
    for (const name of JOB_NAMES) if (this.registry.doesExist('cron', name)) this.registry.deleteCronJob(name);
    if (this.registry.doesExist('interval', OVERDUE_CHECK)) this.registry.deleteInterval(OVERDUE_CHECK);
  }

  private addCronJob(name: JobName, cronTime: string): void {
    // A run is identified by its scheduled time, which all processes share, and not by the clock of this process.
    let dueAtMs: number;
    const onTick = () => {
      const occasion = { kind: 'due', dueAtMs } as const;
      dueAtMs = cronJob.nextDate().toMillis();
      void this.start(name, occasion);
    };
    const cronJob: CronJob = CronJob.from({ name, cronTime, timeZone: 'UTC', onTick, unrefTimeout: true });
    dueAtMs = cronJob.nextDate().toMillis();
    this.registry.addCronJob(name, cronJob);
    cronJob.start();
  }

  private async catchUp(): Promise<void> {
    if (this.stopped) return;
    // The check allows one hour more than a day, so that the cron job comes first.
    const check = () => void this.start('daily', { kind: 'missed', withinMs: DAY_MS + HOUR_MS });
    this.registry.addInterval(OVERDUE_CHECK, setInterval(check, HOUR_MS).unref());
    await this.start('daily', { kind: 'missed', withinMs: DAY_MS });
  }

  private async start(name: JobName, occasion: Occasion): Promise<void> {
    if (this.stopped) return;
    try {
      await (name === 'daily' ? this.daily : this.probes).start(SYSTEM_ACTOR, occasion);
    } catch (error) {
      if (!this.stopped) this.logger.warn(`The job '${name}' could not be started: ${String(error)}`);
    }
  }
}
