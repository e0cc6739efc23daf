import { SYSTEM_ACTOR } from '../../src/platform/request-context/caller-session.js';
import type { JobName, JobRun, JobWork, Occasion } from '../../src/scheduler/job.js';
import type { JobRunner, StartedRun } from '../../src/scheduler/job-runner.service.js';

export const REQUESTED: Occasion = { kind: 'requested' };

export const start = (
  runner: JobRunner,
  work: JobWork,
  occasion: Occasion = REQUESTED,
  job: JobName = 'daily',
): Promise<StartedRun | null> => runner.start({ job, actor: SYSTEM_ACTOR, occasion, work });

export const instantly: JobWork = async () => {};

/** Work that runs until `end` resolves or the run is aborted. */
export class Gate {
  readonly began = Promise.withResolvers<JobRun>();
  readonly end = Promise.withResolvers<void>();
  readonly work: JobWork = async (run) => {
    this.began.resolve(run);
    const stopped = new Promise<never>((_, reject) => {
      run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
    });
    await Promise.race([this.end.promise, stopped]);
  };
}
