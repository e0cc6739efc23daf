import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ModelProbes } from '../model-policy/model-probes.service.js';
import { SYSTEM_ACTOR } from '../request-context/caller-session.js';
import type { JobRun } from './job.js';
import { JobRunner } from './job-runner.service.js';
import { Timetable } from './timetable.js';

/** Probes all models when `GW_PROBE_CRON` says so, in UTC, on one process of all (D12). Off without that setting. */
@Injectable()
export class ProbeSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Probes');
  private timetable: Timetable | null = null;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly probes: ModelProbes,
    private readonly runner: JobRunner,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.probeCron === null) return;
    this.timetable = new Timetable(this.config.probeCron, (dueAtMs) => void this.begin(dueAtMs));
  }

  onModuleDestroy(): void {
    this.stopped = true;
    this.timetable?.stop();
  }

  private async begin(dueAtMs: number): Promise<void> {
    const [occasion, work] = [{ kind: 'due', dueAtMs } as const, (run: JobRun) => this.probeAll(run)];
    try {
      await this.runner.start({ job: 'probes', actor: SYSTEM_ACTOR, occasion, work });
    } catch (error) {
      if (!this.stopped) this.logger.warn(`The models were not probed: ${String(error)}`);
    }
  }

  private async probeAll(run: JobRun): Promise<void> {
    const { models, failed, stored } = await this.probes.probeAll(SYSTEM_ACTOR, run.signal);
    run.count('models', models);
    run.count('failed', failed);
    if (stored) return this.logger.log(`${models} models were probed, ${failed} failed`);
    const failure = `${failed} of ${models} models failed their probe: none of it was kept`;
    this.logger.warn(failure);
    throw new Error(failure);
  }
}
