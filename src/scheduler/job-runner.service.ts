import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { messageOf, type JobCounts, type JobName, type JobRun, type JobWork, type Occasion } from './job.js';
import { type JobLock, JobLocks } from './stores/job-lock.store.js';
import { JobRunStore } from './stores/job-run.store.js';

/** A finished run releases its lock a moment after its row is updated. */
const ENDING_WAIT_MS_MAX = 2000;
const ENDING_POLL_MS = 50;
const FINISH_ATTEMPTS = 3;
const FINISH_RETRY_MS = 1000;

type EndedOutcome = 'succeeded' | 'failed';

export interface EndedRun {
  readonly outcome: EndedOutcome;
  readonly counts: JobCounts;
}

export type StartedRun =
  /** Another call started the run, in this process or in another one. */
  | { readonly runId: string; readonly begun: false }
  /** `ended` resolves when the lock is free. The result is stored by then, unless every attempt to store it failed. */
  | { readonly runId: string; readonly begun: true; readonly ended: Promise<EndedRun> };

interface JobRequest {
  readonly job: JobName;
  readonly actor: AdminActor;
  readonly occasion: Occasion;
  readonly work: JobWork;
}

interface BegunRun {
  readonly kind: 'begun';
  readonly runId: string;
  /** By the database's clock. */
  readonly startedAtMs: number;
}

/** `ending`: the current run has ended but still holds the lock. */
type Decision =
  | BegunRun
  | { readonly kind: 'joined'; readonly runId: string }
  | { readonly kind: 'ending' }
  | { readonly kind: 'not-due' };

/**
 * Runs each job in one process at a time (D20). The process holds a database lock, and the run has a row in `job_runs`. If a
 * row is `running` but the lock is free, its process has died, and the next run closes the row.
 */
@Injectable()
export class JobRunner implements OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private readonly stopping = new AbortController();
  private readonly runIds = new Map<JobName, string>();
  private readonly inProgress = new Set<Promise<unknown>>();
  private readonly endedCounts = { daily: { succeeded: 0, failed: 0 }, probes: { succeeded: 0, failed: 0 } };

  constructor(
    private readonly locks: JobLocks,
    private readonly runs: JobRunStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** The number of runs that ended in this process, by outcome. */
  get ended(): Readonly<Record<JobName, Readonly<Record<EndedOutcome, number>>>> {
    return this.endedCounts;
  }

  /**
   * Starts a run unless one is running. Resolves when its row is written, long before the run ends. Returns null if no run is
   * due by its `occasion`.
   * @throws GatewayError `service_unavailable` during shutdown; also database errors
   */
  start(request: JobRequest): Promise<StartedRun | null> {
    const running = this.runIds.get(request.job);
    if (running !== undefined) return Promise.resolve({ runId: running, begun: false });
    return this.track(this.begin(request));
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new Error('its process was stopped'));
    while (this.inProgress.size > 0) await Promise.allSettled(this.inProgress);
  }

  private async begin(request: JobRequest): Promise<StartedRun | null> {
    const until = performance.now() + ENDING_WAIT_MS_MAX;
    while (!this.stopping.signal.aborted) {
      const decision = await this.tryToBegin(request);
      if (decision !== 'ending') return decision;
      if (performance.now() > until) break;
      await pause(ENDING_POLL_MS);
    }
    throw serviceUnavailable(new Error(`The job '${request.job}' could be neither started nor joined`));
  }

  private async tryToBegin(request: JobRequest): Promise<StartedRun | null | 'ending'> {
    const lock = await this.locks.open(request.job);
    let holdsLock = false;
    try {
      const decision = await this.transactions.run((transaction) => this.decide(transaction, request, lock));
      if (decision.kind === 'ending') return 'ending';
      if (decision.kind === 'not-due') return null;
      if (decision.kind === 'joined') return { runId: decision.runId, begun: false };
      holdsLock = true;
      return { runId: decision.runId, begun: true, ended: this.runInBackground(request, decision, lock) };
    } finally {
      if (!holdsLock) await lock.release();
    }
  }

  private async decide(
    transaction: Transaction,
    { job, actor, occasion }: JobRequest,
    lock: JobLock,
  ): Promise<Decision> {
    // This precedes the lock, so that a process that does not get it finds the row of the current holder, not an older one.
    await this.runs.enter(transaction, job);
    if (!(await lock.take())) {
      const runId = await this.runs.runningId(transaction, job);
      return runId === null ? { kind: 'ending' } : { kind: 'joined', runId };
    }
    await this.runs.closeAbandoned(transaction, job);
    if (!(await this.runs.isDue(transaction, job, occasion))) return { kind: 'not-due' };
    const runId = randomUUID();
    const dueAtMs = occasion.kind === 'due' ? occasion.dueAtMs : null;
    const startedAtMs = await this.runs.insert(transaction, { runId, job, dueAtMs });
    const metadata = { run_id: runId };
    await this.audit.write(transaction, { action: 'job.started', actor, targetType: 'job', targetId: job, metadata });
    return { kind: 'begun', runId, startedAtMs };
  }

  private runInBackground(request: JobRequest, run: BegunRun, lock: JobLock): Promise<EndedRun> {
    const { job } = request;
    this.runIds.set(job, run.runId);
    lock.lost.addEventListener('abort', () => this.forget(job, run.runId));
    return this.track(this.carryOut(request, run, lock));
  }

  private forget(job: JobName, runId: string): void {
    if (this.runIds.get(job) === runId) this.runIds.delete(job);
  }

  private async carryOut(
    { job, work }: JobRequest,
    { runId, startedAtMs }: BegunRun,
    lock: JobLock,
  ): Promise<EndedRun> {
    const startMs = performance.now();
    const nowMs = () => startedAtMs + (performance.now() - startMs);
    const counts: Record<string, number> = {};
    const signal = AbortSignal.any([this.stopping.signal, lock.lost]);
    const count: JobRun['count'] = (name, by) => {
      if (by !== 0) counts[name] = (counts[name] ?? 0) + by;
    };
    let error: string | null = null;
    try {
      await work({ id: runId, signal, nowMs, count });
      this.logger.log(`Job ${job} succeeded (run ${runId}): ${JSON.stringify(counts)}`);
    } catch (thrown) {
      error = messageOf(signal.aborted ? signal.reason : thrown);
      this.logger.warn(`Job ${job} failed (run ${runId}): ${error}`);
    }
    const outcome = error === null ? 'succeeded' : 'failed';
    this.endedCounts[job][outcome] += 1;
    // This precedes the update of the row, so that later callers get a new run.
    this.forget(job, runId);
    await this.finish(runId, { completed: error === null || !signal.aborted, counts, error });
    await lock.release();
    return { outcome, counts };
  }

  /** If the row cannot be written, it stays `running`, and the next run closes it as failed. */
  private async finish(
    runId: string,
    end: { completed: boolean; counts: Record<string, number>; error: string | null },
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runs.finish({ runId, ...end });
      } catch (error) {
        if (attempt === FINISH_ATTEMPTS || this.stopping.signal.aborted) {
          return this.logger.warn(`The result of run ${runId} was not stored: ${messageOf(error)}`);
        }
        await pause(FINISH_RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  private track<T>(promise: Promise<T>): Promise<T> {
    this.inProgress.add(promise);
    const remove = () => void this.inProgress.delete(promise);
    promise.then(remove, remove);
    return promise;
  }
}
