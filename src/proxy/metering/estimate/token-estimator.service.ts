import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { ResponseCapture, CaptureMemory } from './response-capture.js';
import type { Estimate, EstimateJob } from './estimate-job.js';
import { EstimateQueue } from './estimate-queue.js';
import { TokenThread } from './token-thread.js';

/** A stop waits so long for what is under way, then takes rough figures (D14). */
const STOP_MS_MAX = 3000;

/**
 * Counts the tokens of requests whose answers do not say what they cost, in one thread of its own per process, which begins with
 * the first of them. No answer waits for it; what waits is bounded.
 */
@Injectable()
export class TokenEstimator implements BeforeApplicationShutdown {
  private readonly logger = new Logger('usage');
  private readonly room = new CaptureMemory();
  private readonly thread = new TokenThread((error) =>
    this.logger.warn(`The token counter ended, figures are rough until it is back: ${error.message}`),
  );
  private readonly queue = new EstimateQueue(this.thread);

  /** Answers whose tokens were estimated roughly since the start of the process, because too many waited. */
  get overflowed(): number {
    return this.queue.overflowed;
  }

  /** For one streamed answer; `release()` it at its end. */
  capture(): ResponseCapture {
    return new ResponseCapture(this.room);
  }

  /** By turns of the holders (key ids). Never rejects: where nothing better can be had the figure is bytes of text ÷ 4. */
  estimate(job: EstimateJob, holder: string): Promise<Estimate> {
    return this.queue.add(job, holder);
  }

  /** Before what has been recorded is written for the last time: within some seconds, what still waits then gets rough figures. */
  async finish(): Promise<void> {
    await this.queue.close(STOP_MS_MAX);
    this.thread.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.finish();
  }
}
