import cluster from 'node:cluster';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type LoggerService } from '@nestjs/common';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { Config } from '../config/config.js';
import { neverWaitAtExit } from '../patches/pino-exit.js';
import { redactor } from './redact.js';

const FLUSH_AFTER_MS = 200;
/** Each write switches to another thread. On a single core the switch costs more than the lines, so batches are large. */
const BATCH_BYTES_MAX = 131_072;
const WRITE_BYTES_MAX = 1_048_576;
/** PIPE_BUF. Workers share one pipe, which mixes the lines of larger writes. */
const SHARED_WRITE_BYTES_MAX = 4096;
/** Additional lines are dropped if nothing reads stdout. */
const QUEUED_BYTES_MAX = 33_554_432;
const LAST_FLUSH_TIMEOUT_MS = 1000;
/** Contexts of Nest's startup lines, which only help to debug dependency injection */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

interface Sink {
  readonly stream: DestinationStream;
  readonly writeLine: ((line: string) => void) | null;
  flush(): Promise<void>;
}

/**
 * The process log: JSON lines on stdout, or readable lines on a developer's terminal. Secrets from the settings are redacted in
 * every message (D24). It is created first, so that it can log the startup.
 */
@Injectable()
export class ProcessLog implements LoggerService {
  readonly pino: Logger;
  private readonly sink: Sink;
  private readonly redact: (text: string) => string;

  constructor(config: Config) {
    this.redact = redactor(config);
    this.sink = (!config.production && process.stdout.isTTY ? readableLines() : null) ?? jsonLines(config.workers > 1);
    this.pino = pino(
      { level: config.logLevel, base: undefined, timestamp: stdTimeFunctions.isoTime },
      this.sink.stream,
    );
  }

  log(message: unknown, context?: string): void {
    const level = context !== undefined && WIRING.has(context) ? 'debug' : 'info';
    this.pino[level]({ context }, this.redact(textOf(message)));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.pino.error({ context: rest.at(-1) }, this.redact(textOf(message)));
  }

  warn(message: unknown, context?: string): void {
    this.pino.warn({ context }, this.redact(textOf(message)));
  }

  debug(message: unknown, context?: string): void {
    this.pino.debug({ context }, this.redact(textOf(message)));
  }

  verbose(message: unknown, context?: string): void {
    this.pino.trace({ context }, this.redact(textOf(message)));
  }

  /** The lowest level that is logged, as a pino number: 30 is info, 40 is warning. */
  get levelMin(): number {
    return this.pino.levelVal;
  }

  /** Writes a complete JSON line without pino, because every request writes one. It is null if the log has readable lines. */
  get writeLine(): ((line: string) => void) | null {
    return this.sink.writeLine;
  }

  /** Takes at most 1 s and never rejects, so it can be the last step of a shutdown. */
  async flush(): Promise<void> {
    try {
      await this.sink.flush();
    } catch {
      // stdout was never opened or its reader has exited, so the error cannot be logged either.
    }
  }
}

/** Request lines are written in batches, at most 200 ms late: one system call per line would cost more than the line. */
function jsonLines(shared: boolean): Sink {
  const [batchMax, maxWrite] = cluster.isWorker
    ? [SHARED_WRITE_BYTES_MAX, SHARED_WRITE_BYTES_MAX]
    : [BATCH_BYTES_MAX, WRITE_BYTES_MAX];
  // Reading `process.stdout` also makes Node set a pipe to non-blocking, so that no write waits for its reader.
  const { fd } = process.stdout;
  const stream = destination({ fd, sync: false, maxWrite, maxLength: QUEUED_BYTES_MAX });
  neverWaitAtExit(stream, fd, shared);
  const lines = new LineBuffer(batchMax, (text) => stream.write(text));
  // The first waiting line starts the timer, so an idle process has none.
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    lines.flush();
  };
  return {
    stream,
    writeLine: (line) => {
      lines.push(line);
      timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
    flush: async () => {
      lines.flush();
      const written = once(stream, 'drain');
      // `drain` is emitted at the end of a write, so there must be one.
      stream.write('');
      await Promise.race([written, pause(LAST_FLUSH_TIMEOUT_MS)]);
    },
  };
}

/** Returns null if `pino-pretty` is not installed, as in the container image. */
function readableLines(): Sink | null {
  try {
    const pretty = createRequire(import.meta.url)('pino-pretty') as (options: object) => DestinationStream;
    return { stream: pretty({ sync: true, ignore: 'context' }), writeLine: null, flush: () => Promise.resolve() };
  } catch {
    return null;
  }
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? (message.stack ?? message.message) : JSON.stringify(message);
}

/** pino's own stream measures its whole buffer for each line, which would cost more than the rest of the request. */
class LineBuffer {
  private lines = '';
  private bytes = 0;

  /** @param bytesMax of one write; a longer line is written alone */
  constructor(
    private readonly bytesMax: number,
    private readonly write: (lines: string) => void,
  ) {}

  push(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > this.bytesMax) this.flush();
    this.lines += line;
    this.bytes += bytes;
  }

  flush(): void {
    if (this.bytes === 0) return;
    const { lines } = this;
    this.lines = '';
    this.bytes = 0;
    this.write(lines);
  }
}
