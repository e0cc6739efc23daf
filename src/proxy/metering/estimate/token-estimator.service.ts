import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EstimateQueue } from '../../../fairness/estimate-queue.js';
import { CaptureMemory } from '../../../fairness/response-memory.js';
import { bytesOf, type Estimate, type EstimateJob } from './estimate-job.js';
import { ResponseCapture } from './response-capture.js';
import { roughEstimate } from './rough-estimate.js';

/** How long a shutdown waits for estimates. The remaining jobs are estimated roughly (D14). */
const STOP_MS_MAX = 3000;
/** A job takes up to half a second. The first job for each tokenizer takes a few seconds more. */
const JOB_MS_MAX = 30_000;
const HEAP_MB_MAX = 512;
/** How long the thread is not restarted after a crash, so that it does not start again for every job. */
const REST_MS = 1000;

/**
 * Estimates the tokens of requests whose responses do not report them. One worker thread per process counts them; it starts with
 * the first job. Responses do not wait for estimates, and the queue is bounded.
 */
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

  /** The number of jobs since process start that were estimated roughly because the queue was full. */
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

/** The worker thread that counts tokens. The next job restarts it after a crash. */
export class TokenThread {
  private worker: Worker | null = null;
  private settle: ((estimate: Estimate | null) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private restsUntilMs = 0;

  constructor(private readonly onDeath: (error: Error) => void) {}

  /** Call for one job at a time. Never rejects: it resolves to null if the job cannot be counted. */
  count(job: EstimateJob): Promise<Estimate | null> {
    if (performance.now() < this.restsUntilMs) return Promise.resolve(null);
    this.worker ??= this.start();
    this.worker.postMessage(job);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.timer = setTimeout(() => this.die(new Error(`no result within ${JOB_MS_MAX} ms`)), JOB_MS_MAX).unref();
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
    worker.on('error', (error: unknown) => this.die(error as Error));
    worker.on('exit', (code) => this.die(new Error(`exit code ${code}`)));
    worker.unref();
    return worker;
  }

  private die(error: Error): void {
    this.restsUntilMs = performance.now() + REST_MS;
    this.stop();
    this.onDeath(error);
  }

  private finishJob(estimate: Estimate | null): void {
    clearTimeout(this.timer);
    const { settle } = this;
    this.settle = null;
    settle?.(estimate);
  }
}
