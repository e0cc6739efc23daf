import { roughEstimate } from './rough-estimate.js';
import { bytesOf, NO_TOKENS, type Estimate, type EstimateJob } from './estimate-job.js';

/** Waiting at most: some seconds of work. Beyond it a job is estimated roughly and at once. */
export const QUEUE_BYTES_MAX = 32 * 1024 * 1024;
export const QUEUE_JOBS_MAX = 5000;

/** Who counts: one job at a time. */
export interface TokenCounter {
  /** null: it could not be counted. Never rejects. */
  count(job: EstimateJob): Promise<Estimate | null>;
}

interface Waiting {
  readonly job: EstimateJob;
  readonly resolve: (estimate: Estimate) => void;
}

/** Jobs in the order of their coming, and bounded. Each gets its figure, a rough one where there is no better. */
export class EstimateQueue {
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private current: Waiting | null = null;
  private closed = false;
  private onIdle: (() => void) | null = null;
  private turnedAway = 0;

  constructor(private readonly counter: TokenCounter) {}

  /** Jobs estimated roughly since the start of the process, because it was full. */
  get overflowed(): number {
    return this.turnedAway;
  }

  /** Never rejects. */
  add(job: EstimateJob): Promise<Estimate> {
    const bytes = bytesOf(job);
    const full = this.waiting.length >= QUEUE_JOBS_MAX || this.waitingBytes + bytes > QUEUE_BYTES_MAX;
    if (this.closed || full) {
      if (full) this.turnedAway += 1;
      return Promise.resolve(roughOf(job));
    }
    return new Promise((resolve) => {
      this.waiting.push({ job, resolve });
      this.waitingBytes += bytes;
      if (this.current === null) void this.run();
    });
  }

  /** From now on all figures are rough. Settles when those that waited have theirs; after `withinMs` they are rough too. */
  async close(withinMs: number): Promise<void> {
    this.closed = true;
    if (this.current !== null) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
      const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
      await Promise.race([idle, late]);
      clearTimeout(timer);
    }
    const left = this.waiting;
    this.waiting = [];
    for (const { job, resolve } of this.current === null ? left : [this.current, ...left]) resolve(roughOf(job));
  }

  private async run(): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.current = next;
      const estimate = await this.counter.count(next.job);
      this.waitingBytes -= bytesOf(next.job);
      next.resolve(estimate ?? roughOf(next.job));
    }
    this.current = null;
    this.onIdle?.();
  }
}

function roughOf(job: EstimateJob): Estimate {
  try {
    return roughEstimate(job);
  } catch {
    // Whatever a client wrote, its request stays recorded.
    return NO_TOKENS;
  }
}
