import type { JobRun } from '../job.js';

/** A part of the daily job. It can be done again at any time: what was done before is found done. */
export interface Task {
  /** For the log and the run's error. */
  readonly name: string;
  /** Throws where not all of it could be done, and soon after `run.signal` is aborted. */
  carryOut(run: JobRun): Promise<void>;
}
