import { BYTE_ORDER_MARK, LINE_FEED, QUOTE } from '../../json/bytes.js';
import { MemberWatcher } from '../../json/member-watcher.js';
import type { TokenUsage } from '../../request-context/token-usage.js';
import { LineCutter, type PieceReader } from './line-splitter.js';
import type { ResponseFormat } from './response-format.js';
import { ResponseReport, WATCHED, type ReportedError } from './response-report.js';
import type { UsageReader } from './usage-formats.data.js';

/**
 * Reads usage and errors from a copy of a response's bytes, in any format. Never throws. Memory: the values that it reads, 128 KiB
 * at most, whatever the length of lines and documents. Bytes without a mark of interest cost two searches.
 */
export class UsageExtractor {
  private readonly report: ResponseReport;
  private readonly source: Pick<EventLines, 'push' | 'end'>;

  constructor(
    private readonly reader: UsageReader,
    private readonly format: ResponseFormat,
  ) {
    this.report = new ResponseReport(reader);
    const watch = new MemberWatcher(WATCHED, this.report);
    if (format === 'json') this.source = watch;
    else this.source = format === 'sse' ? new EventLines(watch, this.report) : new NdjsonLines(watch);
  }

  /** `chunk` may be cut anywhere, also inside a character. It is not kept. */
  push(chunk: Buffer): void {
    this.source.push(chunk);
  }

  /** Call once, when the response has ended; `whole` false: it was cut. */
  end(whole: boolean): TokenUsage {
    this.source.end();
    if (!whole) return this.report.usageOfCut();
    return this.report.usage(this.format === 'json' || this.reader.inParts !== true);
  }

  /** The error that the response contains, known after `end`. */
  get error(): ReportedError | null {
    return this.report.error;
  }
}

const EVENT_END = Buffer.from('\n\n');
const EVENT_END_CRLF = Buffer.from('\r\n\r\n');

/** All names of reports begin with it, after a quote. The search takes half the time without the quote, a common byte. */
const USAGE = Buffer.from('usage');
/** Also part of `event: error`. */
const ERROR = Buffer.from('error');
const NULL_VALUES = [Buffer.from('":null'), Buffer.from('": null')];

/** Finds the bytes of a chunk that can be part of a report or an error. */
class Marks {
  private usage = -1;
  private error = -1;
  private searchedTo = 0;

  /** Call for each new chunk. */
  reset(): void {
    this.usage = -1;
    this.error = -1;
    this.searchedTo = 0;
  }

  /**
   * Returns the index of the next mark from `at` on, or the chunk's length. Bytes that an earlier call has searched are not
   * searched again: the result is then `at`.
   */
  next(chunk: Buffer, at: number): number {
    if (at < this.searchedTo) return at;
    if (this.usage < at) this.usage = nextUsage(chunk, at);
    if (this.error < at) this.error = nextError(chunk, at);
    const next = Math.min(this.usage, this.error);
    this.searchedTo = next + 1;
    return next;
  }
}

/** Some providers send `"usage":null` hundreds of times: those are passed over. */
function nextUsage(chunk: Buffer, from: number): number {
  let at = chunk.indexOf(USAGE, from);
  while (at !== -1 && (chunk[at - 1] !== QUOTE || isNull(chunk, at + USAGE.length)))
    at = chunk.indexOf(USAGE, at + USAGE.length);
  return at === -1 ? chunk.length : at;
}

function nextError(chunk: Buffer, from: number): number {
  let at = chunk.indexOf(ERROR, from);
  while (at !== -1 && isNull(chunk, at + ERROR.length)) at = chunk.indexOf(ERROR, at + ERROR.length);
  return at === -1 ? chunk.length : at;
}

const isNull = (bytes: Buffer, at: number): boolean => NULL_VALUES.some((value) => startsWith(bytes, at, value));

function startsWith(bytes: Buffer, at: number, start: Buffer): boolean {
  for (let i = 0; i < start.length; i++) {
    if (bytes[at + i] !== start[i]) return false;
  }
  return true;
}

/** NDJSON: each line is a document. */
class NdjsonLines implements PieceReader {
  private readonly lines = new LineCutter(this);
  private readonly marks = new Marks();

  constructor(private readonly watch: MemberWatcher<unknown>) {}

  push(chunk: Buffer): void {
    this.marks.reset();
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
  }

  skip(chunk: Buffer, at: number): number {
    const next = this.marks.next(chunk, at);
    return at + chunk.subarray(at, next).lastIndexOf(LINE_FEED) + 1;
  }

  piece(chunk: Buffer, from: number, to: number): void {
    this.watch.push(chunk.subarray(from, to));
  }

  lineEnd(chunk: Buffer, from: number, to: number): void {
    this.piece(chunk, from, to);
    this.watch.end();
  }
}

const DATA = Buffer.from('data:');
/** How the lines that matter begin. */
const BEGINNINGS = ['data:', 'event: error', 'event:error', 'error:'];

/**
 * Server-sent events. The `data` lines of one event are one text, in which a document can span lines. Some providers omit the
 * blank line between events; each line is then a document. Some name an error's event `error`, or its field.
 */
class EventLines implements PieceReader {
  private readonly lines = new LineCutter(this);
  private readonly marks = new Marks();
  /** A line of the current event has been read. */
  private inEvent = false;
  /** The beginning of the current line, up to the byte that decides what it is. */
  private line = '';
  private isData = false;

  constructor(
    private readonly watch: MemberWatcher<unknown>,
    private readonly report: ResponseReport,
  ) {}

  push(chunk: Buffer): void {
    this.marks.reset();
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
    this.endEvent();
  }

  /** Between two events, skips all whole events before the next mark. */
  skip(chunk: Buffer, at: number): number {
    if (this.inEvent) return at;
    const next = this.marks.next(chunk, at);
    if (next === at) return at;
    // A chunk is usually one whole event.
    if (chunk[next - 1] === LINE_FEED && chunk[next - 2] === LINE_FEED) return next;
    const quiet = chunk.subarray(at, next);
    const lf = quiet.lastIndexOf(EVENT_END);
    if (lf !== -1) return at + lf + EVENT_END.length;
    const crlf = quiet.lastIndexOf(EVENT_END_CRLF);
    return crlf === -1 ? at : at + crlf + EVENT_END_CRLF.length;
  }

  piece(chunk: Buffer, from: number, to: number): void {
    const at = this.isData ? from : this.readField(chunk, from, to);
    if (this.isData && at < to) this.watch.push(chunk.subarray(at, to));
  }

  lineEnd(chunk: Buffer, from: number, to: number): void {
    this.piece(chunk, from, to);
    const { line } = this;
    this.line = '';
    this.isData = false;
    if (line === '') return this.endEvent();
    this.inEvent = true;
    if (line === 'event: error' || line === 'event:error') this.report.errorEvent();
  }

  /** Index after the field's name, or after the byte that rules out all fields of interest. */
  private readField(chunk: Buffer, from: number, to: number): number {
    let at = from;
    if (this.line === '' && startsWith(chunk, from, DATA)) {
      this.line = 'data:';
      this.isData = true;
      return from + DATA.length;
    }
    while (at < to && !this.isData && BEGINNINGS.some((beginning) => beginning.startsWith(this.line))) {
      const byte = chunk[at++]!;
      if (this.line === '' && BYTE_ORDER_MARK.includes(byte)) continue;
      this.line += String.fromCharCode(byte);
      if (this.line === 'error:') this.report.errorEvent();
      this.isData = this.line === 'data:' || this.line === 'error:';
    }
    return at;
  }

  private endEvent(): void {
    this.watch.end();
    this.report.document();
    this.inEvent = false;
  }
}
