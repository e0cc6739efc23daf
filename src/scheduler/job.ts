export const JOB_NAMES = ['daily', 'probes'] as const;
export type JobName = (typeof JOB_NAMES)[number];

export type JobOutcome = 'running' | 'succeeded' | 'failed';

/** Integers up to 2^53. */
export type JobCounts = Readonly<Record<string, number>>;

export interface JobRun {
  readonly id: string;
  /** Aborted at shutdown, and when the lock is lost, because another process can then start a run. */
  readonly signal: AbortSignal;
  /** The database's time. With the process's own clock, a wrong clock would delete rows irrecoverably. */
  nowMs(): number;
  /** Adds to a result of the run. Results that stay 0 are omitted. */
  count(name: string, by: number): void;
}

/** An error makes the run `failed`. The run's row stores the message, which must not contain secrets. */
export type JobWork = (run: JobRun) => Promise<void>;

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** A part of the daily job. It can be repeated at any time and skips finished work. */
export interface Task {
  readonly name: string;
  /** @throws if some of the work failed, or soon after `run.signal` aborts */
  carryOut(run: JobRun): Promise<void>;
}

export type Occasion =
  | { readonly kind: 'requested' }
  /** It was scheduled. Each scheduled time gets one run, in the first process that starts it. */
  | { readonly kind: 'due'; readonly dueAtMs: number }
  /** No run was completed in the last `withinMs`. */
  | { readonly kind: 'missed'; readonly withinMs: number };

export interface ListedRun {
  readonly runId: string;
  readonly job: JobName;
  readonly startedAt: Date;
  /** Null while it runs. If its process died, the time when that was detected. */
  readonly finishedAt: Date | null;
  readonly outcome: JobOutcome;
  readonly counts: JobCounts;
}
