import { FairQueue } from './fair-queue.js';
import { MemoryBudget } from './memory-budget.js';

/** Bounds of what waits: some seconds of work. */
export const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
export const QUEUE_JOBS_MAX = 5000;

/** How a job is estimated. */
export interface Estimator<Job, Estimate> {
  /** Called for one job at a time. Resolves to null if the job cannot be counted. Never rejects. */
  count(job: Job): Promise<Estimate | null>;
  /** A rough estimate, at once. Never throws. */
  rough(job: Job): Estimate;
  bytesOf(job: Job): number;
}

interface Waiting<Job, Estimate> {
  readonly job: Job;
  readonly resolve: (estimate: Estimate) => void;
}

/**
 * Estimates one job after the other, by turns of the holders (key IDs). A holder has at most as much waiting as is free for
 * the others. A job that does not fit is estimated roughly.
 */
export class EstimateQueue<Job, Estimate> {
  private readonly queue = new FairQueue<Waiting<Job, Estimate>>(QUEUE_JOBS_MAX);
  private readonly memory = new MemoryBudget(QUEUE_BYTES_MAX);
  private counting = false;
  private closed = false;
  private onIdle: (() => void) | null = null;
  private refusals = 0;

  constructor(private readonly estimator: Estimator<Job, Estimate>) {}

  /** Jobs estimated roughly since the start of the process, because the queue was full. */
  get overflowed(): number {
    return this.refusals;
  }

  /** Never rejects. */
  add(job: Job, holder: string): Promise<Estimate> {
    const bytes = this.estimator.bytesOf(job);
    const full = this.isFull(holder, bytes);
    if (full) this.refusals += 1;
    if (this.closed || full) return Promise.resolve(this.estimator.rough(job));
    return new Promise((resolve) => {
      this.queue.add(holder, { job, resolve });
      this.memory.take(bytes, holder);
      if (!this.counting) void this.run();
    });
  }

  /** From now on, all estimates are rough. Resolves when those that waited are done; after `withinMs` they are rough too. */
  async close(withinMs: number): Promise<void> {
    this.closed = true;
    if (this.counting) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
      const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
      await Promise.race([idle, late]);
      clearTimeout(timer);
    }
    for (const { job, resolve } of this.queue.clear()) resolve(this.estimator.rough(job));
  }

  private isFull(holder: string, bytes: number): boolean {
    return (
      this.queue.sizeOf(holder) >= this.queue.free || this.memory.bytesHeldBy(holder) + bytes > this.memory.bytesFree
    );
  }

  private async run(): Promise<void> {
    this.counting = true;
    for (let next = this.queue.next(); next !== undefined; next = this.queue.next()) {
      const { job, resolve } = next.item;
      // The job keeps its place and its memory until it is counted.
      const estimate = await this.estimator.count(job);
      resolve(estimate ?? this.estimator.rough(job));
      this.queue.serve(next);
      this.memory.release(this.estimator.bytesOf(job), next.holder!);
    }
    this.counting = false;
    this.onIdle?.();
  }
}
