import { Injectable, Logger } from '@nestjs/common';
import { ModelProbes } from '../model-policy/model-probes.service.js';
import { type AdminActor, SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import type { JobRun, Occasion } from './job.js';
import { JobRunner, type StartedRun } from './job-runner.service.js';

/** The scheduled job that probes all listed models. A run whose verdicts are not stored fails (D12). */
@Injectable()
export class ProbeJob {
  private readonly logger = new Logger('Probes');

  constructor(
    private readonly probes: ModelProbes,
    private readonly runner: JobRunner,
  ) {}

  start(actor: AdminActor, occasion: Occasion): Promise<StartedRun | null> {
    return this.runner.start({ job: 'probes', actor, occasion, work: (run) => this.probeAll(run) });
  }

  private async probeAll(run: JobRun): Promise<void> {
    const { models, failed, stored } = await this.probes.probeAll(SYSTEM_ACTOR, run.signal);
    run.count('models', models);
    run.count('failed', failed);
    if (stored) return this.logger.log(`Probed ${models} models, ${failed} failed`);
    const failure = `${failed} of ${models} models failed their probes, so no result was stored`;
    this.logger.warn(failure);
    throw new Error(failure);
  }
}
