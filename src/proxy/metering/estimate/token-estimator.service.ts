import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EstimateQueue } from './estimate-queue.js';
import { CaptureMemory } from '../../response-memory.js';
import type { Estimate, EstimateJob } from './estimate-job.js';
import { ResponseCapture } from './response-capture.js';
import { roughEstimate } from './rough-estimate.js';

/** A shutdown waits this long. The remaining jobs are estimated roughly (D14). */
const STOP_MS_MAX = 3000;
/** A job takes up to half a second. The first job for each tokenizer takes a few seconds more. */
const JOB_MS_MAX = 30_000;
const HEAP_MB_MAX = 512;
/** Keeps a thread that crashes from being started for every job. */
const RESTART_PAUSE_MS = 1000;

/** One worker thread per process counts tokens; it starts with the first job. Responses do not wait for estimates. */
@Injectable()
export class TokenEstimator implements BeforeApplicationShutdown {
  private readonly logger = new Logger('usage');
  private readonly memory = new CaptureMemory();
  private readonly thread = new TokenThread((error) =>
    this.logger.warn(`The token counter thread failed. Token estimates are rough until it restarts: ${error.message}`),
  );
  private readonly queue = new EstimateQueue<EstimateJob, Estimate>({
    count: (job) => this.thread.count(job),
    rough: roughEstimate,
    bytesOf,
  });

  /** Jobs that were estimated roughly, because too many were waiting. */
  get overflowed(): number {
    return this.queue.overflowed;
  }

  capture(): ResponseCapture {
    return new ResponseCapture(this.memory);
  }

  /** Shares the thread fairly among holders (key IDs). Never rejects. The fallback counts four bytes of text as one token. */
  estimate(job: EstimateJob, holder: string): Promise<Estimate> {
    return this.queue.add(job, holder);
  }

  /** Waits up to 3 s for waiting jobs. Must run before usage is written for the last time. */
  async finish(): Promise<void> {
    await this.queue.close(STOP_MS_MAX);
    this.thread.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.finish();
  }
}

export const bytesOf = ({ request, response }: EstimateJob): number =>
  (request?.bytes.length ?? 0) + (response?.bytes.length ?? 0);

/** The thread that counts tokens, one job at a time. After a crash, the next job starts it again. */
export class TokenThread {
  private worker: Worker | null = null;
  private settle: ((estimate: Estimate | null) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private pausedUntilMs = 0;

  constructor(private readonly reportCrash: (error: Error) => void) {}

  /** Call for one job at a time. Never rejects: it resolves to null if the job cannot be counted. */
  count(job: EstimateJob): Promise<Estimate | null> {
    if (performance.now() < this.pausedUntilMs) return Promise.resolve(null);
    this.worker ??= this.start();
    this.worker.postMessage(job);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.timer = setTimeout(() => this.onCrash(new Error(`no result within ${JOB_MS_MAX} ms`)), JOB_MS_MAX).unref();
    });
  }

  stop(): void {
    const { worker } = this;
    this.worker = null;
    this.finishJob(null);
    if (worker === null) return;
    worker.removeAllListeners();
    // An `error` event without a listener would end the process.
    worker.on('error', () => {});
    void worker.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./token-worker.js', import.meta.url), {
      name: 'token-counter',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    worker.on('message', (estimate: Estimate | null) => this.finishJob(estimate));
    worker.on('error', (error: unknown) => this.onCrash(error as Error));
    worker.on('exit', (code) => this.onCrash(new Error(`exit code ${code}`)));
    worker.unref();
    return worker;
  }

  private onCrash(error: Error): void {
    this.pausedUntilMs = performance.now() + RESTART_PAUSE_MS;
    this.stop();
    this.reportCrash(error);
  }

  private finishJob(estimate: Estimate | null): void {
    clearTimeout(this.timer);
    const { settle } = this;
    this.settle = null;
    settle?.(estimate);
  }
}
