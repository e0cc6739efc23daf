import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CronJob } from 'cron';
import { Config } from '../config/config.js';
import { ModelProbes } from '../model-policy/model-probes.service.js';
import { ProbeRunStore } from './stores/probe-run.store.js';

const SYSTEM = { type: 'system', id: null, requestId: '', ip: '' } as const;

/** Probes all models when `GW_PROBE_CRON` says so, in UTC, on one process of all (D12). Off without that setting. */
@Injectable()
export class ProbeSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Probes');
  private readonly stopping = new AbortController();
  private job: CronJob | null = null;
  private dueAtMs = 0;
  private running: Promise<void> | null = null;

  constructor(
    private readonly config: Config,
    private readonly probes: ModelProbes,
    private readonly runs: ProbeRunStore,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.probeCron === null) return;
    const onTick = () => this.tick();
    this.job = CronJob.from({ cronTime: this.config.probeCron, timeZone: 'UTC', onTick, unrefTimeout: true });
    this.dueAtMs = this.job.nextDate().toMillis();
    this.job.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.job?.stop();
    await this.running;
  }

  private tick(): void {
    // By the timetable, not by this process's clock: every process has the same name for one run.
    const dueAtMs = this.dueAtMs;
    this.dueAtMs = this.job!.nextDate().toMillis();
    if (this.running !== null) {
      this.logger.warn('A run of the probes is still under way: this one is left out');
      return;
    }
    this.running = this.run(dueAtMs).finally(() => (this.running = null));
  }

  private async run(dueAtMs: number): Promise<void> {
    try {
      await this.runs.once(dueAtMs, () => this.probeAll());
    } catch (error) {
      if (!this.stopping.signal.aborted) this.logger.warn(`The models were not probed: ${String(error)}`);
    }
  }

  private async probeAll(): Promise<void> {
    const { models, failed, stored } = await this.probes.probeAll(SYSTEM, this.stopping.signal);
    if (stored) this.logger.log(`${models} models were probed, ${failed} failed`);
    else this.logger.warn(`${failed} of ${models} models failed their probe: none of it was kept`);
  }
}
