import cluster from 'node:cluster';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type LoggerService } from '@nestjs/common';
import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { Config } from '../config/config.js';
import { redactor } from './redact.js';

const FLUSH_AFTER_MS = 200;
/** Large and few: each write is a hop to another thread, which on a single core costs more than the lines. */
const BATCH_BYTES_MAX = 131_072;
const WRITE_BYTES_MAX = 1_048_576;
/** What a pipe takes whole (PIPE_BUF): workers share one, and more than that would mix their lines. */
const SHARED_WRITE_BYTES_MAX = 4096;
/** Where nobody reads stdout: lines beyond are dropped rather than kept. */
const WAITING_BYTES_MAX = 33_554_432;
/** And at the end nobody waits for a reader any longer. */
const LAST_FLUSH_MS_MAX = 1000;
/** What Nest tells of its own wiring at the start: of use when that is at fault. */
const WIRING = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

interface Sink {
  readonly stream: DestinationStream;
  /** Null where lines are made readable. */
  readonly writeLine: ((line: string) => void) | null;
  flush(): Promise<void>;
}

/** Parts of pino's stream that its types leave out: what waits, and its length in bytes. */
interface Internals {
  _bufs: string[];
  _len: number;
}

/**
 * The process's log: JSON lines on stdout, readable ones on a developer's terminal, every line without the secrets of the
 * settings (D24). Made first, so that it logs the start.
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

  /** Lines of a lower level (pino's numbers: 30 is info, 40 a warning) are not written. */
  get levelMin(): number {
    return this.pino.levelVal;
  }

  /**
   * One finished line of JSON with its line end, past pino: for the one line that every request writes. Null where lines are
   * made readable.
   */
  get writeLine(): ((line: string) => void) | null {
    return this.sink.writeLine;
  }

  /** Writes what is held, for a second at most; never rejects, so that it can be the last thing a process does. */
  async flush(): Promise<void> {
    try {
      await this.sink.flush();
    } catch {
      // stdout was never opened, or its reader has gone: there is nobody left to tell.
    }
  }
}

/** The line that every request writes goes in batches, a fifth of a second late at most: a system call each would cost more than it. */
function jsonLines(shared: boolean): Sink {
  const [batchMax, maxWrite] = cluster.isWorker
    ? [SHARED_WRITE_BYTES_MAX, SHARED_WRITE_BYTES_MAX]
    : [BATCH_BYTES_MAX, WRITE_BYTES_MAX];
  // Asked of Node, which sets a pipe so that no write waits for its reader.
  const { fd } = process.stdout;
  const stream = destination({ fd, sync: false, maxWrite, maxLength: WAITING_BYTES_MAX });
  // Called when the process exits, however it does: the stream's own waits without an end for a reader, for one that is gone too.
  // Of processes that share a pipe each one's start and end sets it back for all: a write might wait.
  stream.flushSync = shared ? () => undefined : () => writeAtOnce(fd, stream as unknown as Internals);
  const lines = new LineBuffer(batchMax, (text) => stream.write(text));
  // Set by the first line that waits: where nothing is written nothing runs.
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
      // It is told at the end of a write, and there may be none.
      stream.write('');
      await Promise.race([written, pause(LAST_FLUSH_MS_MAX)]);
    },
  };
}

/** As much as is taken without waiting. */
function writeAtOnce(fd: number, held: Internals): void {
  const texts = held._bufs.splice(0);
  held._len = 0;
  try {
    for (const text of texts) {
      for (let left = Buffer.from(text); left.length > 0;) left = left.subarray(writeSync(fd, left));
    }
  } catch {
    // Nobody reads: the rest is lost.
  }
}

/** Null where the package for it was left out, as in the image. */
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

/**
 * Lines that are written together. pino's own stream measures all that waits in it anew with each line that comes: a line a
 * request would cost more than the rest of the request does.
 */
export class LineBuffer {
  private lines = '';
  private bytes = 0;

  /**
   * @param bytesMax of what is written at once; a longer line goes alone
   * @param write takes some whole lines
   */
  constructor(
    private readonly bytesMax: number,
    private readonly write: (lines: string) => void,
  ) {}

  /** @param line with its line end */
  push(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > this.bytesMax) this.flush();
    this.lines += line;
    this.bytes += bytes;
  }

  /** Hands on what is held. */
  flush(): void {
    if (this.bytes === 0) return;
    const { lines } = this;
    this.lines = '';
    this.bytes = 0;
    this.write(lines);
  }
}
