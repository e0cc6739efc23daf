import { Worker } from 'node:worker_threads';
import type { Estimate, EstimateJob } from './estimate-job.js';

/** A job takes half a second at most, the first two some seconds more. */
const JOB_MS_MAX = 30_000;
const HEAP_MB_MAX = 512;
/** A thread that cannot live is not begun anew for every job. */
const REST_MS = 1000;

/** The thread that counts tokens, one job at a time. It begins with the first, and anew with the first after its death. */
export class TokenThread {
  private worker: Worker | null = null;
  private settle: ((estimate: Estimate | null) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;
  private restsUntilMs = 0;

  /** @param onDeath called when it ended without being asked to */
  constructor(private readonly onDeath: (error: Error) => void) {}

  /** Not while another job is under way. @returns null where it could not be counted; never rejects */
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
    // What it still has to say is of no interest.
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
    // Nobody waits for a figure but the stop, and that has a timer of its own.
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
