import { createRequire } from 'node:module';
import { Injectable, type LoggerService } from '@nestjs/common';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { Config } from '../config/config.js';

const FLUSH_EACH_MS = 200;
const HELD_BYTES = 8_192;
/** What Nest tells of its own wiring at the start: of use when that is at fault. */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

interface Sink {
  readonly stream: DestinationStream;
  flush(): void;
}

/** The process's log: JSON lines on stdout, readable ones on a developer's terminal. Made first, so that it logs the start. */
@Injectable()
export class ProcessLog implements LoggerService {
  readonly pino: Logger;
  private readonly sink: Sink;

  constructor(config: Config) {
    this.sink = (!config.production && process.stdout.isTTY ? readableLines() : null) ?? jsonLines();
    this.pino = pino(
      { level: config.logLevel, base: undefined, timestamp: stdTimeFunctions.isoTime },
      this.sink.stream,
    );
  }

  log(message: unknown, context?: string): void {
    const level = context !== undefined && WIRING.has(context) ? 'debug' : 'info';
    this.pino[level]({ context }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.pino.error({ context: rest.at(-1) }, textOf(message));
  }

  warn(message: unknown, context?: string): void {
    this.pino.warn({ context }, textOf(message));
  }

  debug(message: unknown, context?: string): void {
    this.pino.debug({ context }, textOf(message));
  }

  verbose(message: unknown, context?: string): void {
    this.pino.trace({ context }, textOf(message));
  }

  /** Writes what is held; never throws, so that it can be the last thing a process does. */
  flush(): void {
    try {
      this.sink.flush();
    } catch {
      // stdout was never opened, or its reader has gone: there is nobody left to tell.
    }
  }
}

/** Written in batches, a fifth of a second late at most: a system call a line would cost more than the line. */
function jsonLines(): Sink {
  const stream = destination({ fd: 1, sync: false, minLength: HELD_BYTES });
  setInterval(() => stream.flush(), FLUSH_EACH_MS).unref();
  return { stream, flush: () => stream.flushSync() };
}

/** Null where the package for it was left out, as in the image. */
function readableLines(): Sink | null {
  try {
    const pretty = createRequire(import.meta.url)('pino-pretty') as (options: object) => DestinationStream;
    return { stream: pretty({ sync: true, ignore: 'context' }), flush: () => {} };
  } catch {
    return null;
  }
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? (message.stack ?? message.message) : JSON.stringify(message);
}
