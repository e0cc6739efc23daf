import { BYTE_ORDER_MARK, LINE_FEED, QUOTE } from '../../platform/json/bytes.js';
import { FieldWatcher } from '../../platform/json/field-watcher.js';
import { LineCutter, type PieceReader } from './line-splitter.js';
import type { ResponseFormat } from './response-format.js';
import type { ResponseFactsReader } from './response-facts.js';
import { ResponseReport, watchedFields, type MeteredReport } from './response-report.js';
import { ToolCallCounter } from './tool-calls.js';
import type { UsageReader } from './usage-formats.data.js';

/**
 * Reads token usage and errors from a response in any format. Never throws. It holds at most 128 KiB of the current value, and a
 * copy of the report in effect. The length of lines and documents does not matter. Bytes without usage or errors cost two native
 * searches.
 */
export class UsageExtractor {
  private readonly report: ResponseReport;
  private readonly source: Watch;

  /** @param countsCalls whether the response can contain calls of hosted tools */
  constructor(
    private readonly reader: UsageReader,
    private readonly format: ResponseFormat,
    facts: ResponseFactsReader | null = null,
    countsCalls = false,
  ) {
    const calls = countsCalls ? new ToolCallCounter() : null;
    this.report = new ResponseReport(reader, facts, calls);
    const fields = new FieldWatcher(watchedFields(reader, facts !== null, countsCalls), this.report);
    const watch = calls === null ? fields : new CallWatch(fields, calls);
    if (format === 'json') this.source = watch;
    else this.source = format === 'sse' ? new EventLines(watch, this.report) : new NdjsonLines(watch);
  }

  /** @param chunk can begin and end anywhere, even inside a character; it is not kept */
  push(chunk: Buffer): void {
    this.source.push(chunk);
  }

  /** Call it once. `whole` is false if the response was interrupted. */
  end(whole: boolean): MeteredReport {
    this.source.end();
    const { report } = this;
    const acceptsSingleCount = this.format === 'json' || this.reader.inParts !== true;
    const usage = whole ? report.usage(acceptsSingleCount) : report.usageOfCut();
    return { usage, error: report.error, reported: report.reported() };
  }
}

export type Watch = Pick<FieldWatcher<unknown>, 'push' | 'end'>;

/** Counts first, because the watcher can end the document within the piece. */
class CallWatch implements Watch {
  constructor(
    private readonly fields: Watch,
    private readonly calls: ToolCallCounter,
  ) {}

  push(piece: Buffer): void {
    this.calls.push(piece);
    this.fields.push(piece);
  }

  end(): void {
    this.fields.end();
  }
}

const EVENT_END = Buffer.from('\n\n');
const EVENT_END_CRLF = Buffer.from('\r\n\r\n');

/** The start of every usage field name. Searching without the quote, a common byte, takes half the time. */
const USAGE = Buffer.from('usage');
const ERROR = Buffer.from('error');
const NULL_VALUES = [Buffer.from('":null'), Buffer.from('": null')];

/** Positions in a chunk at which something to read can begin. */
export interface MarkSearch {
  /** Call it for each chunk. */
  reset(): void;
  /** Bytes are searched only once: for a position that was searched before, it returns `at`. */
  next(chunk: Buffer, at: number): number;
}

class Marks implements MarkSearch {
  private usage = -1;
  private error = -1;
  private searchedTo = 0;

  reset(): void {
    this.usage = -1;
    this.error = -1;
    this.searchedTo = 0;
  }

  next(chunk: Buffer, at: number): number {
    if (at < this.searchedTo) return at;
    if (this.usage < at) this.usage = nextUsage(chunk, at);
    if (this.error < at) this.error = nextError(chunk, at);
    const next = Math.min(this.usage, this.error);
    this.searchedTo = next + 1;
    return next;
  }
}

/** Skips `"usage":null`, which some providers send hundreds of times. */
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

/** @param at the index after a field name, before its closing quote */
export const isNull = (bytes: Buffer, at: number): boolean => NULL_VALUES.some((value) => startsWith(bytes, at, value));

function startsWith(bytes: Buffer, at: number, start: Buffer): boolean {
  for (let i = 0; i < start.length; i++) {
    if (bytes[at + i] !== start[i]) return false;
  }
  return true;
}

export class NdjsonLines implements PieceReader {
  private readonly lines = new LineCutter(this);

  constructor(
    private readonly watch: Watch,
    private readonly marks: MarkSearch = new Marks(),
  ) {}

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
const BEGINNINGS = ['data:', 'event: error', 'event:error', 'error:'];

/**
 * The `data` lines of one event form one text, so a document can span lines. If a provider omits the blank line between
 * events, each line is a document. Some providers use `event: error` or an `error:` field for errors.
 */
export class EventLines implements PieceReader {
  private readonly lines = new LineCutter(this);
  private inEvent = false;
  /** The current line, up to the byte that decides its kind. */
  private line = '';
  private isData = false;

  constructor(
    private readonly watch: Watch,
    private readonly report: Pick<ResponseReport, 'errorEvent' | 'document'>,
    private readonly marks: MarkSearch = new Marks(),
  ) {}

  push(chunk: Buffer): void {
    this.marks.reset();
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
    this.endEvent();
  }

  /** Between two events, skips all complete events before the next mark. */
  skip(chunk: Buffer, at: number): number {
    if (this.inEvent) return at;
    const next = this.marks.next(chunk, at);
    if (next === at) return at;
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

  /** Returns the index after the field name, or after the byte that rules out every line that matters. */
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
