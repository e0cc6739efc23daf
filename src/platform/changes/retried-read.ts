import type { Logger } from '@nestjs/common';
import { SingleFlight } from './single-flight.js';

const RETRY_MS = 500;

interface Read {
  /** A plural noun for log messages. */
  readonly name: string;
  readonly logger: Pick<Logger, 'log' | 'warn'>;
  readonly read: () => Promise<void>;
}

/**
 * Reads data that a process keeps in memory. If a read fails, the last data stays in use, and the read is retried every 0.5 s. Only the
 * first failure is logged.
 */
export class RetriedRead {
  private readonly reads = new SingleFlight(() => this.attempt());
  private failing = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly given: Read) {}

  /** Resolves after a read that began after this call. Never rejects. */
  refresh(): Promise<void> {
    return this.reads.ask();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  private async attempt(): Promise<void> {
    const { name, logger, read } = this.given;
    try {
      await read();
      if (this.failing) logger.log(`The ${name} can be read again`);
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        logger.warn(`Cannot read the ${name}: ${error instanceof Error ? error.message : String(error)}`);
      this.failing = true;
      clearTimeout(this.retry);
      if (!this.stopped) this.retry = setTimeout(() => void this.refresh(), RETRY_MS).unref();
    }
  }
}
