import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EstimateQueue } from '../../../fairness/estimate-queue.js';
import { CaptureMemory } from '../../../fairness/response-memory.js';
import { bytesOf, type Estimate, type EstimateJob } from './estimate-job.js';
import { ResponseCapture } from './response-capture.js';
import { roughEstimate } from './rough-estimate.js';

/** How long a shutdown waits for estimates, in milliseconds. The remaining ones are then rough (D14). */
const STOP_MS_MAX = 3000;
/** A job takes half a second at most, the first two some seconds more. */
const JOB_MS_MAX = 30_000;
const HEAP_MB_MAX = 512;
/** How long after a crash the thread is not restarted, so that it is not started for every job. */
const REST_MS = 1000;

/**
 * Estimates the tokens of requests whose responses do not report them, in one thread per process that starts with the first
 * job. No response waits for it, and the queue is bounded.
 */
@Injectable()
export class TokenEstimator implements BeforeApplicationShutdown {
  private readonly logger = new Logger('usage');
  private readonly memory = new CaptureMemory();
  private readonly thread = new TokenThread((error) =>
    this.logger.warn(`The token counter ended, figures are rough until it is back: ${error.message}`),
  );
  private readonly queue = new EstimateQueue<EstimateJob, Estimate>({
    count: (job) => this.thread.count(job),
    rough: roughEstimate,
    bytesOf,
  });

  /** Jobs estimated roughly since the start of the process, because the queue was full. */
  get overflowed(): number {
    return this.queue.overflowed;
  }

  /** For one streamed response. The caller calls `release()` at its end. */
  capture(): ResponseCapture {
    return new ResponseCapture(this.memory);
  }

  /** By turns of the holders (key IDs). Never rejects: without a better estimate, four bytes of text count as one token. */
  estimate(job: EstimateJob, holder: string): Promise<Estimate> {
    return this.queue.add(job, holder);
  }

  /** Finishes within 3 s, before usage is written for the last time. */
  async finish(): Promise<void> {
    await this.queue.close(STOP_MS_MAX);
    this.thread.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.finish();
  }
}

/** The thread that counts tokens, one job at a time. It starts with the first job, and again with the first after a crash. */
export class TokenThread {
  private worker: Worker | null = null;
  private settle: ((estimate: Estimate | null) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private restsUntilMs = 0;

  /** @param onDeath called if the thread ended without `stop` */
  constructor(private readonly onDeath: (error: Error) => void) {}

  /** Not callable while another job is being counted. @returns null if the job cannot be counted; never rejects */
  count(job: EstimateJob): Promise<Estimate | null> {
    if (performance.now() < this.restsUntilMs) return Promise.resolve(null);
    this.worker ??= this.start();
    this.worker.postMessage(job);
    return new Promise((resolve) => {
      this.settle = resolve;
      this.timer = setTimeout(() => this.die(new Error(`no answer within ${JOB_MS_MAX} ms`)), JOB_MS_MAX).unref();
    });
  }

  stop(): void {
    const { worker } = this;
    this.worker = null;
    this.answer(null);
    if (worker === null) return;
    worker.removeAllListeners();
    // Errors of a thread that is being terminated do not matter.
    worker.on('error', () => {});
    void worker.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./token-worker.js', import.meta.url), {
      name: 'token-counter',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    worker.on('message', (estimate: Estimate | null) => this.answer(estimate));
    worker.on('error', (error: unknown) => this.die(error as Error));
    worker.on('exit', (code) => this.die(new Error(`it ended with ${code}`)));
    // Only the shutdown waits for estimates, and it has a timer of its own.
    worker.unref();
    return worker;
  }

  private die(error: Error): void {
    this.restsUntilMs = performance.now() + REST_MS;
    this.stop();
    this.onDeath(error);
  }

  private answer(estimate: Estimate | null): void {
    clearTimeout(this.timer);
    const { settle } = this;
    this.settle = null;
    settle?.(estimate);
  }
}
