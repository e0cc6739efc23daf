import type { Logger } from '@nestjs/common';
import type { Database } from './database.service.js';

interface Work {
  /** What the log says of a failure, before its reason. */
  readonly undone: string;
  readonly run: () => Promise<unknown>;
  /** From the end of a run to the next one, ms; after a failure `againMs`. */
  readonly eachMs: number;
  readonly againMs: number;
}

/**
 * Work on the database that comes again and again and that nobody waits for: first as soon as there is a database, then from each
 * run's end to the next. Of failures in a row the log is told the first.
 */
export class Upkeep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private hasStopped = false;
  private failing = false;

  constructor(
    private readonly database: Pick<Database, 'state' | 'whenReady'>,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly work: Work,
  ) {}

  /** From the call of `stop` on: work in steps looks at it between them. */
  get stopped(): boolean {
    return this.hasStopped;
  }

  /** Resolves at the end of the first run, which never rejects; at once where there has been no database yet. */
  async begin(): Promise<void> {
    if (this.database.state === 'connecting') void this.database.whenReady().then(() => this.next());
    else await this.next();
  }

  /** No run begins after this call; resolves at the end of one that is under way. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async next(): Promise<void> {
    if (this.hasStopped) return;
    this.running = this.run();
    await this.running;
    if (this.hasStopped) return;
    this.timer = setTimeout(() => void this.next(), this.failing ? this.work.againMs : this.work.eachMs).unref();
  }

  private async run(): Promise<void> {
    try {
      await this.work.run();
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn(`${this.work.undone}: ${error instanceof Error ? error.message : String(error)}`);
      this.failing = true;
    }
  }
}
