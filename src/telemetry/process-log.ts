import { Injectable, type LoggerService } from '@nestjs/common';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import { Config } from '../config/config.js';

const FLUSH_EACH_MS = 200;
const HELD_BYTES = 16_384;

/**
 * The process's log: JSON lines on stdout, readable ones on a terminal in development. Lines are written in batches,
 * a fifth of a second late at most; `flush()` at the end of a process.
 */
@Injectable()
export class ProcessLog implements LoggerService {
  readonly pino: Logger;
  private readonly flushNow: () => void;

  constructor(config: Config, readable?: DestinationStream) {
    const lines = destination({ fd: 1, sync: false, minLength: HELD_BYTES });
    this.pino = pino({ level: config.logLevel, base: undefined }, readable ?? lines);
    this.flushNow = () => {
      if (readable === undefined) lines.flushSync();
    };
    if (readable === undefined) setInterval(() => lines.flush(), FLUSH_EACH_MS).unref();
  }

  log(message: unknown, context?: string): void {
    this.pino.info({ context }, text(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.pino.error({ context: rest.at(-1) }, text(message));
  }

  warn(message: unknown, context?: string): void {
    this.pino.warn({ context }, text(message));
  }

  debug(message: unknown, context?: string): void {
    this.pino.debug({ context }, text(message));
  }

  verbose(message: unknown, context?: string): void {
    this.pino.trace({ context }, text(message));
  }

  /** Writes what is held; never throws, so that it can be the last thing a process does. */
  flush(): void {
    try {
      this.flushNow();
    } catch {
      // stdout was never opened, or its reader has gone: there is nobody left to tell.
    }
  }
}

const text = (message: unknown): string =>
  typeof message === 'string' ? message : message instanceof Error ? (message.stack ?? message.message) : JSON.stringify(message);
