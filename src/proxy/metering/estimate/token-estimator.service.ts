import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { EstimateQueue } from './estimate-queue.js';
import { CaptureMemory } from '../../response-memory.js';
import { bytesOf, type Estimate, type EstimateJob, type CountTokens, type Side } from './estimate-job.js';
import { ResponseCapture } from './response-capture.js';
import { QUOTE } from '../../../platform/json/bytes.js';
import { isMediaName } from '../../../platform/json/media-names.js';
import { estimate } from './count-tokens.js';

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

/** The next job restarts the thread after a crash. */
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

/** Reading this much takes 0.1 ms. Finding the name of a long string adds 1 ms per megabyte. */
const ROUGH_BYTES_MAX = 16 * 1024;
const BYTES_PER_TOKEN = 4;
const PIECES = 32;

const byBytes: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/**
 * Counts four bytes of text as one token, in a sample of a long request or in the beginning of a long response. Never throws.
 * A job whose text cannot be read counts 0.
 */
export function roughEstimate({ request, response }: EstimateJob): Estimate {
  const long = request !== null && request.bytes.length > ROUGH_BYTES_MAX ? request : null;
  const short = {
    request: long === null ? request : null,
    response: response === null ? null : { ...response, ...beginningOf(response) },
  };
  try {
    const rough = estimate(short, byBytes);
    return long === null ? rough : { ...rough, input: roughTokens(long) };
  } catch {
    return { input: 0, output: 0 };
  }
}

const beginningOf = ({ bytes, totalBytes }: Side): Side => ({ bytes: bytes.subarray(0, ROUGH_BYTES_MAX), totalBytes });

const roughTokens = ({ bytes, totalBytes }: Side): number =>
  Math.ceil((roughTextBytes(bytes) / BYTES_PER_TOKEN) * (totalBytes / bytes.length));

/** A run is media, or text without spaces. Some clients escape slashes with a backslash. */
const RUNS = /[\w+/=\\-]{64,}/g;
const NAME = /"(\w+)"\s*:\s*\[?\s*$/;
const NAMED_BYTES = 128;
const BLANKS = /[ \t\r\n]{2,}/g;

/** Reads a random piece of each of 32 equal parts. Media and repeated whitespace do not count. */
function roughTextBytes(body: Uint8Array): number {
  const sample = new BodySample(Buffer.from(body.buffer, body.byteOffset, body.length));
  const length = ROUGH_BYTES_MAX / PIECES;
  const partLength = body.length / PIECES;
  let bytes = 0;
  for (let part = 0; part < PIECES; part++) {
    bytes += sample.textBytesIn(Math.floor(part * partLength + Math.random() * (partLength - length)), length);
  }
  return (bytes * body.length) / ROUGH_BYTES_MAX;
}

/** Pieces must be read in order, so that the body is searched for quotes only once. */
class BodySample {
  private searched = 0;
  private lastQuote = -1;

  constructor(private readonly body: Buffer) {}

  textBytesIn(from: number, length: number): number {
    const piece = this.body.toString('latin1', from, from + length);
    let bytes = length;
    for (const { 0: blanks } of piece.matchAll(BLANKS)) bytes -= blanks.length - 1;
    for (const { index, 0: run } of piece.matchAll(RUNS)) if (this.isMedia(from + index)) bytes -= run.length;
    return bytes;
  }

  /** Whether the string around `at`, or the array that starts with it, has a media name. */
  private isMedia(at: number): boolean {
    const start = this.quoteBefore(at);
    // `NAME` does not match quotes inside a text, because they are escaped.
    const before = this.body.toString('latin1', Math.max(0, start - NAMED_BYTES), Math.max(0, start));
    return isMediaName(NAME.exec(before)?.[1] ?? '');
  }

  private quoteBefore(at: number): number {
    const found = this.body.subarray(this.searched, at).lastIndexOf(QUOTE);
    if (found !== -1) this.lastQuote = this.searched + found;
    this.searched = at;
    return this.lastQuote;
  }
}
