import { FairQueue } from '../../../platform/fairness/fair-queue.js';
import { MemoryBudget } from '../../../platform/fairness/memory-budget.js';

/** The limits correspond to a few seconds of work. */
const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
const QUEUE_JOBS_MAX = 5000;

export interface Estimator<Job, Estimate> {
  /** Called for one job at a time. Resolves to null if the job cannot be counted. Never rejects. */
  count(job: Job): Promise<Estimate | null>;
  /** Never throws. */
  rough(job: Job): Estimate;
  bytesOf(job: Job): number;
}

interface Waiting<Job, Estimate> {
  readonly job: Job;
  readonly resolve: (estimate: Estimate) => void;
}

/** Estimates one job at a time, round-robin over the holders. A job that does not fit gets a rough estimate. */
export class EstimateQueue<Job, Estimate> {
  private readonly queue = new FairQueue<Waiting<Job, Estimate>>(QUEUE_JOBS_MAX);
  private readonly memory = new MemoryBudget(QUEUE_BYTES_MAX);
  private counting = false;
  private closed = false;
  private onIdle: (() => void) | null = null;
  private overflows = 0;

  constructor(private readonly estimator: Estimator<Job, Estimate>) {}

  /** Jobs that got a rough estimate because the queue was full, since the process started. */
  get overflowed(): number {
    return this.overflows;
  }

  /** Never rejects. */
  add(job: Job, holder: string): Promise<Estimate> {
    const bytes = this.estimator.bytesOf(job);
    const full = this.isFull(holder, bytes);
    if (full) this.overflows += 1;
    if (this.closed || full) return Promise.resolve(this.estimator.rough(job));
    return new Promise((resolve) => {
      this.queue.add(holder, { job, resolve });
      this.memory.take(bytes, holder);
      if (!this.counting) void this.run();
    });
  }

  /** Makes all further estimates rough. Waits up to `withinMs` for queued jobs; the remaining jobs get rough estimates. */
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
      const estimate = await this.estimator.count(job);
      resolve(estimate ?? this.estimator.rough(job));
      this.queue.serve(next);
      this.memory.release(this.estimator.bytesOf(job), next.holder!);
    }
    this.counting = false;
    this.onIdle?.();
  }
}
