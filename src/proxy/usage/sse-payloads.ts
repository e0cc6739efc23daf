import { formatOf } from './answer-format.js';
import { endOfValue, skipSpace } from './json-scan.js';
import { LINE_BYTES_MAX, LineSplitter, type LineReader } from './line-splitter.js';

const OPEN_BRACE = 0x7b;
const SPACE = 0x20;
const LF = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const DATA = Buffer.from('data:');

/** Where a stream's JSON objects come from: a source is pushed bytes and hands out payloads. */
export interface PayloadSource {
  push(chunk: Buffer): void;
  /** The stream is over, whole or cut: what was held back is handed out. */
  end(): void;
}

/** What the owner of a source does with it. */
export interface PayloadReader {
  /** One payload, whole or cut off at its end; a view, good during the call only. */
  payload(bytes: Buffer): void;
  /** Where in the chunk, from `at` on, a payload worth reading may stand; the chunk's length: nowhere. */
  next(chunk: Buffer, at: number): number;
}

/** The source that fits a stream of this content type: NDJSON where it says so, else server-sent events. */
export const payloadsOf = (contentType: string, reader: PayloadReader): PayloadSource =>
  formatOf(contentType) === 'ndjson' ? new NdjsonPayloads(reader) : new SsePayloads(reader);

/**
 * The `data` of server-sent events. Data of several lines is handed out line by line as it comes and once more joined, when its
 * event has ended: some providers leave the blank line between events out, and then each line is a payload of its own.
 * Memory: the line that has begun and the lines of its event, LINE_BYTES_MAX in all; beyond it the event's earlier lines are let go.
 */
export class SsePayloads implements PayloadSource, LineReader {
  private readonly lines = new LineSplitter(this);
  private event: Buffer[] = [];
  private eventBytes = 0;
  private atStart = true;
  /** Up to here the chunk in hand has been searched for what can be left out. */
  private searchedTo = 0;

  constructor(private readonly reader: PayloadReader) {}

  push(chunk: Buffer): void {
    this.searchedTo = 0;
    this.lines.push(chunk);
    if (this.lines.pendingBytes + this.eventBytes > LINE_BYTES_MAX) this.forgetEvent();
  }

  end(): void {
    this.lines.end();
    this.endEvent();
  }

  /** Between two events, all whole events before the next payload of interest are left out unread. */
  skip(chunk: Buffer, at: number): number {
    if (this.event.length > 0 || at < this.searchedTo) return at;
    const next = this.reader.next(chunk, at);
    this.searchedTo = next + 1;
    // Mostly a chunk is one whole event.
    if (chunk[next - 1] === LF && chunk[next - 2] === LF) return next;
    const quiet = chunk.subarray(at, next);
    const lf = quiet.lastIndexOf('\n\n');
    if (lf !== -1) return at + lf + 2;
    const crlf = quiet.lastIndexOf('\r\n\r\n');
    return crlf === -1 ? at : at + crlf + 4;
  }

  line(bytes: Buffer): void {
    const line = this.atStart && startsWith(bytes, BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
    this.atStart = false;
    if (line.length === 0) this.endEvent();
    else if (startsWith(line, DATA))
      this.data(line.subarray(line[DATA.length] === SPACE ? DATA.length + 1 : DATA.length));
  }

  private data(payload: Buffer): void {
    this.reader.payload(payload);
    if (this.event.length === 1 && standsAlone(this.event[0] as Buffer)) this.forgetEvent();
    if (this.eventBytes + payload.length > LINE_BYTES_MAX) this.forgetEvent();
    this.event.push(Buffer.from(payload));
    // A line costs more than its bytes.
    this.eventBytes += payload.length + 128;
  }

  private endEvent(): void {
    if (this.event.length > 1) this.reader.payload(joined(this.event));
    this.forgetEvent();
  }

  private forgetEvent(): void {
    if (this.event.length === 0) return;
    this.event = [];
    this.eventBytes = 0;
  }
}

/** NDJSON: each line is a payload. */
export class NdjsonPayloads implements PayloadSource, LineReader {
  private readonly lines = new LineSplitter(this);
  private searchedTo = 0;

  constructor(private readonly reader: PayloadReader) {}

  push(chunk: Buffer): void {
    this.searchedTo = 0;
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
  }

  skip(chunk: Buffer, at: number): number {
    if (at < this.searchedTo) return at;
    const next = this.reader.next(chunk, at);
    this.searchedTo = next + 1;
    return at + chunk.subarray(at, next).lastIndexOf('\n') + 1;
  }

  line(bytes: Buffer): void {
    this.reader.payload(bytes);
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  const feed = Buffer.from('\n');
  return Buffer.concat(lines.flatMap((line) => [line, feed]));
}

/** Whether a line of data needs no further one: a whole object, or no JSON object at all. */
function standsAlone(payload: Buffer): boolean {
  const at = skipSpace(payload, 0);
  if (at === payload.length) return false;
  return payload[at] !== OPEN_BRACE || endOfValue(payload, at) !== -1;
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) {
    if (bytes[i] !== prefix[i]) return false;
  }
  return true;
}
