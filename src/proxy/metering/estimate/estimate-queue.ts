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

/** Of one holder, first come first served; the first may be being counted. */
interface Line {
  readonly waiting: Waiting[];
  bytes: number;
}

/**
 * Jobs by turns of their holders (key ids), so that who sends many heavy ones holds up nobody else's; and bounded. Each gets its
 * figure, a rough one where there is no better.
 */
export class EstimateQueue {
  /** In the order of the holders' turns. */
  private readonly lines = new Map<string, Line>();
  private waitingCount = 0;
  private waitingBytes = 0;
  private counting = false;
  private closed = false;
  private onIdle: (() => void) | null = null;
  private turnedAway = 0;

  constructor(private readonly counter: TokenCounter) {}

  /** Jobs estimated roughly since the start of the process, because it was full. */
  get overflowed(): number {
    return this.turnedAway;
  }

  /** Never rejects. */
  add(job: EstimateJob, holder: string): Promise<Estimate> {
    const line = this.lines.get(holder) ?? { waiting: [], bytes: 0 };
    const full = this.isFull(line, bytesOf(job));
    if (this.closed || full) {
      if (full) this.turnedAway += 1;
      return Promise.resolve(roughOf(job));
    }
    return new Promise((resolve) => {
      line.waiting.push({ job, resolve });
      this.hold(line, 1, bytesOf(job));
      this.lines.set(holder, line);
      if (!this.counting) void this.run();
    });
  }

  /** From now on all figures are rough. Settles when those that waited have theirs; after `withinMs` they are rough too. */
  async close(withinMs: number): Promise<void> {
    this.closed = true;
    if (this.counting) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
      const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
      await Promise.race([idle, late]);
      clearTimeout(timer);
    }
    const left = [...this.lines.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.lines.clear();
    for (const { job, resolve } of left) resolve(roughOf(job));
  }

  /** Or the holder would have more in it than is left for the others: nobody has all of it. */
  private isFull({ waiting, bytes }: Line, more: number): boolean {
    return waiting.length >= QUEUE_JOBS_MAX - this.waitingCount || bytes + more > QUEUE_BYTES_MAX - this.waitingBytes;
  }

  private hold(line: Line, jobs: number, bytes: number): void {
    line.bytes += bytes;
    this.waitingCount += jobs;
    this.waitingBytes += bytes;
  }

  private async run(): Promise<void> {
    this.counting = true;
    for (let next = this.firstLine(); next !== undefined; next = this.firstLine()) {
      const [holder, line] = next;
      const { job, resolve } = line.waiting[0]!;
      const estimate = await this.counter.count(job);
      resolve(estimate ?? roughOf(job));
      line.waiting.shift();
      this.hold(line, -1, -bytesOf(job));
      this.lines.delete(holder);
      // To the end of the turns.
      if (line.waiting.length > 0) this.lines.set(holder, line);
    }
    this.counting = false;
    this.onIdle?.();
  }

  private firstLine(): [string, Line] | undefined {
    return this.lines.entries().next().value;
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
