/** Jobs that run by the clock, as `GET /admin/jobs` names them. */
export const JOB_NAMES = ['daily', 'probes'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export type JobOutcome = 'running' | 'succeeded' | 'failed';

/** What a run has done, by name: whole numbers, none of them of a size that a JSON number cannot hold. */
export type JobCounts = Readonly<Record<string, number>>;

/** One run of a job, as its work sees it. */
export interface JobRun {
  readonly id: string;
  /** Aborted when the process stops, and when the lock is lost, so that another process may begin. */
  readonly signal: AbortSignal;
  /**
   * The time by the database's clock, which all processes share: of what one with a wrong clock would delete nothing comes
   * back. Milliseconds since 1970.
   */
  nowMs(): number;
  /** Adds to what the run tells that it did; what stays 0 is not told. */
  count(name: string, by: number): void;
}

/**
 * Does what the job is for. What it throws makes the run `failed`, with the message in its row: of a task's own making, or
 * a database's, never with anything secret in it.
 */
export type JobWork = (run: JobRun) => Promise<void>;

/** Why a run should begin now. */
export type Occasion =
  /** Somebody wants one. */
  | { readonly kind: 'asked' }
  /** The timetable says so: once for each of its times, whichever process comes first. */
  | { readonly kind: 'due'; readonly dueAtMs: number }
  /** There should have been one in so much time until now; a run that did not come to its end is none. */
  | { readonly kind: 'missed'; readonly withinMs: number };

/** A run as it is listed (D17). */
export interface ListedRun {
  readonly runId: string;
  readonly job: JobName;
  readonly startedAt: Date;
  /** null while it runs. Of a run whose process is gone: when that was found out. */
  readonly finishedAt: Date | null;
  readonly outcome: JobOutcome;
  readonly counts: JobCounts;
}
