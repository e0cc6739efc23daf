import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { AdminActor } from '../request-context/caller-session.js';
import type { JobName, JobRun, JobWork, Occasion } from './job.js';
import { type JobLock, JobLocks } from './stores/job-lock.store.js';
import { JobRunStore } from './stores/job-run.store.js';

/** A run that has done its work lets go of its lock a moment after its row says so. */
const ENDING_MS_MAX = 2000;
const ENDING_LOOK_MS = 50;
const FINISH_ATTEMPTS = 3;
const FINISH_AGAIN_MS = 1000;

export interface StartedRun {
  readonly runId: string;
  /** false: it was running already, here or in another process. */
  readonly begun: boolean;
}

interface Wanted {
  readonly job: JobName;
  readonly actor: AdminActor;
  readonly occasion: Occasion;
  readonly work: JobWork;
}

interface BegunRun {
  readonly runId: string;
  /** By the database's clock. */
  readonly startedAtMs: number;
}

interface Going {
  readonly job: JobName;
  readonly runId: string;
  readonly nowMs: JobRun['nowMs'];
  readonly lock: JobLock;
  readonly work: JobWork;
  /** The run is not one to join any more. */
  readonly forget: () => void;
}

/**
 * Runs jobs on one process of all (D20). A lock in the database says who runs, a row in `job_runs` what came of it; a row
 * that says 'running' while the lock is free belongs to a process that is gone, and is closed before another run begins.
 */
@Injectable()
export class JobRunner implements OnModuleDestroy {
  private readonly logger = new Logger('Jobs');
  private readonly stopping = new AbortController();
  /** Of the runs of this process, by job. */
  private readonly runIds = new Map<JobName, string>();
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly counted = { daily: { succeeded: 0, failed: 0 }, probes: { succeeded: 0, failed: 0 } };

  constructor(
    private readonly locks: JobLocks,
    private readonly runs: JobRunStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** Runs that have ended in this process. */
  get ended(): Readonly<Record<JobName, Readonly<Record<'succeeded' | 'failed', number>>>> {
    return this.counted;
  }

  /**
   * Begins a run unless one is under way; resolves once its row is written, long before it ends.
   * @returns null: by its `occasion` none was due
   * @throws GatewayError `service_unavailable` while stopping; whatever the database throws where it cannot be asked
   */
  start(wanted: Wanted): Promise<StartedRun | null> {
    const running = this.runIds.get(wanted.job);
    if (running !== undefined) return Promise.resolve({ runId: running, begun: false });
    return this.keep(this.begin(wanted));
  }

  /** Stops what runs, and waits until it has: a step of a task at most. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new Error('its process was stopped'));
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  private async begin(wanted: Wanted): Promise<StartedRun | null> {
    const until = performance.now() + ENDING_MS_MAX;
    while (!this.stopping.signal.aborted) {
      const started = await this.tryToBegin(wanted);
      if (started !== 'ending') return started;
      if (performance.now() > until) break;
      await pause(ENDING_LOOK_MS);
    }
    throw serviceUnavailable(new Error(`The job '${wanted.job}' can neither be begun nor joined`));
  }

  private async tryToBegin(wanted: Wanted): Promise<StartedRun | null | 'ending'> {
    const lock = await this.locks.open(wanted.job);
    let begun = false;
    try {
      const started = await this.transactions.run((transaction) => this.decide(transaction, wanted, lock));
      if (started === null || started === 'ending') return started;
      if ('startedAtMs' in started) {
        begun = true;
        this.goOn(wanted, started, lock);
      }
      return { runId: started.runId, begun };
    } finally {
      if (!begun) await lock.release();
    }
  }

  private async decide(
    transaction: Transaction,
    { job, actor, occasion }: Wanted,
    lock: JobLock,
  ): Promise<BegunRun | { readonly runId: string } | null | 'ending'> {
    // Before the lock is asked for: who does not get it finds the row of who has it, and no older one.
    await this.runs.enter(transaction, job);
    if (!(await lock.take())) {
      const runId = await this.runs.runningId(transaction, job);
      return runId === null ? 'ending' : { runId };
    }
    await this.runs.closeAbandoned(transaction, job);
    if (!(await this.runs.isDue(transaction, job, occasion))) return null;
    const runId = randomUUID();
    const dueAtMs = occasion.kind === 'due' ? occasion.dueAtMs : null;
    const startedAtMs = await this.runs.insert(transaction, { runId, job, dueAtMs });
    const metadata = { run_id: runId };
    await this.audit.write(transaction, { action: 'job.started', actor, targetType: 'job', targetId: job, metadata });
    return { runId, startedAtMs };
  }

  private goOn({ job, work }: Wanted, { runId, startedAtMs }: BegunRun, lock: JobLock): void {
    const begunMs = performance.now();
    const nowMs = () => startedAtMs + (performance.now() - begunMs);
    const forget = () => {
      if (this.runIds.get(job) === runId) this.runIds.delete(job);
    };
    this.runIds.set(job, runId);
    lock.lost.addEventListener('abort', forget);
    void this.keep(this.carryOut({ job, runId, nowMs, lock, work, forget }));
  }

  /** Never rejects. */
  private async carryOut({ job, runId, nowMs, lock, work, forget }: Going): Promise<void> {
    const counts: Record<string, number> = {};
    const signal = AbortSignal.any([this.stopping.signal, lock.lost]);
    const count: JobRun['count'] = (name, by) => {
      if (by !== 0) counts[name] = (counts[name] ?? 0) + by;
    };
    let error: string | null = null;
    try {
      await work({ id: runId, signal, nowMs, count });
      this.logger.log(`Job ${job}, run ${runId}: done, ${JSON.stringify(counts)}`);
    } catch (thrown) {
      error = messageOf(signal.aborted ? signal.reason : thrown);
      this.logger.warn(`Job ${job}, run ${runId}: failed, ${error}`);
    }
    this.counted[job][error === null ? 'succeeded' : 'failed'] += 1;
    // Before its row says that it has ended: from then on who asks gets a new run.
    forget();
    await this.finish(runId, { completed: error === null || !signal.aborted, counts, error });
    await lock.release();
  }

  /** What cannot be written stays 'running', and is closed as failed before the next run. */
  private async finish(
    runId: string,
    end: { completed: boolean; counts: Record<string, number>; error: string | null },
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runs.finish({ runId, ...end });
      } catch (error) {
        if (attempt === FINISH_ATTEMPTS || this.stopping.signal.aborted) {
          return this.logger.warn(`The end of run ${runId} was not written: ${messageOf(error)}`);
        }
        await pause(FINISH_AGAIN_MS);
      }
    }
  }

  private keep<T>(promise: Promise<T>): Promise<T> {
    this.underWay.add(promise);
    const forget = () => void this.underWay.delete(promise);
    promise.then(forget, forget);
    return promise;
  }
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
