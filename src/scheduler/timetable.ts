import { CronJob } from 'cron';

/** Tells when a time of a cron expression has come, in UTC. It keeps no process alive. */
export class Timetable {
  private readonly job: CronJob;
  private dueAtMs: number;

  /**
   * @param onDue gets the time by the timetable and not by this process's clock: every process has the same name for one run
   */
  constructor(cronTime: string, onDue: (dueAtMs: number) => void) {
    const onTick = () => {
      const { dueAtMs } = this;
      this.dueAtMs = this.job.nextDate().toMillis();
      onDue(dueAtMs);
    };
    this.job = CronJob.from({ cronTime, timeZone: 'UTC', onTick, unrefTimeout: true });
    this.dueAtMs = this.job.nextDate().toMillis();
    this.job.start();
  }

  stop(): void {
    void this.job.stop();
  }
}
