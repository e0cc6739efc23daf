/** Jobs that run by a schedule, as `GET /admin/jobs` names them. */
export const JOB_NAMES = ['daily', 'probes'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export type JobOutcome = 'running' | 'succeeded' | 'failed';

/** Results of a run by name: whole numbers of at most 2^53. */
export type JobCounts = Readonly<Record<string, number>>;

/** One run of a job, as its work sees it. */
export interface JobRun {
  readonly id: string;
  /** Aborted when the process stops, and when the lock is lost, so that another process can start a run. */
  readonly signal: AbortSignal;
  /**
   * The time of the database's clock, which all processes share: a process with a wrong clock would delete rows that nobody
   * can restore. Milliseconds since 1970.
   */
  nowMs(): number;
  /** Adds to a result of the run. Results that stay 0 are left out. */
  count(name: string, by: number): void;
}

/**
 * The work of a job. An error makes the run `failed`, with the error's message in its row. Messages come from tasks or from the
 * database, and never contain a secret.
 */
export type JobWork = (run: JobRun) => Promise<void>;

/** A part of the daily job. It can be repeated at any time: work that is done already is skipped. */
export interface Task {
  /** For the log and the run's error. */
  readonly name: string;
  /** @throws if some of the work failed, and soon after `run.signal` is aborted */
  carryOut(run: JobRun): Promise<void>;
}

/** Why a run should start now. */
export type Occasion =
  /** An admin requests it. */
  | { readonly kind: 'asked' }
  /** The schedule requests it: one run for each of its times, in the first process that starts it. */
  | { readonly kind: 'due'; readonly dueAtMs: number }
  /** No run was completed in this period up to now. */
  | { readonly kind: 'missed'; readonly withinMs: number };

/** A run as it is listed (D17). */
export interface ListedRun {
  readonly runId: string;
  readonly job: JobName;
  readonly startedAt: Date;
  /** null while it runs. If the process of the run ended without finishing it: when that was detected. */
  readonly finishedAt: Date | null;
  readonly outcome: JobOutcome;
  readonly counts: JobCounts;
}
