import { BYTE_ORDER_MARK, OPEN_BRACE, SPACE } from '../../platform/json/bytes.js';
import { endOfValue, skipSpace } from '../../platform/json/json-scan.js';
import { LINE_BYTES_MAX, LineSplitter, type LineReader } from './line-splitter.js';

const DATA = Buffer.from('data:');

export interface PayloadSource {
  push(chunk: Buffer): void;
  end(): void;
}

/** A payload can be truncated, and is valid only during the call. */
export type PayloadReader = (payload: Buffer) => void;

/**
 * Each `data` line is a payload, because some providers omit the blank line between events. At the end of an event, its lines are
 * emitted again as one payload. Beyond `LINE_BYTES_MAX`, the earlier lines are dropped.
 */
export class SsePayloads implements PayloadSource, LineReader {
  private readonly lines = new LineSplitter(this);
  private event: Buffer[] = [];
  private eventBytes = 0;
  private atStart = true;

  constructor(private readonly read: PayloadReader) {}

  push(chunk: Buffer): void {
    this.lines.push(chunk);
    if (this.lines.pendingBytes + this.eventBytes > LINE_BYTES_MAX) this.forgetEvent();
  }

  end(): void {
    this.lines.end();
    this.endEvent();
  }

  line(bytes: Buffer): void {
    const line = this.atStart && startsWith(bytes, BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
    this.atStart = false;
    if (line.length === 0) this.endEvent();
    else if (startsWith(line, DATA))
      this.data(line.subarray(line[DATA.length] === SPACE ? DATA.length + 1 : DATA.length));
  }

  private data(payload: Buffer): void {
    this.read(payload);
    if (this.event.length === 1 && standsAlone(this.event[0] as Buffer)) this.forgetEvent();
    if (this.eventBytes + payload.length > LINE_BYTES_MAX) this.forgetEvent();
    this.event.push(Buffer.from(payload));
    // 128 bytes for the objects around a line.
    this.eventBytes += payload.length + 128;
  }

  private endEvent(): void {
    if (this.event.length > 1) this.read(joined(this.event));
    this.forgetEvent();
  }

  private forgetEvent(): void {
    if (this.event.length === 0) return;
    this.event = [];
    this.eventBytes = 0;
  }
}

export class NdjsonPayloads implements PayloadSource, LineReader {
  private readonly lines = new LineSplitter(this);

  constructor(private readonly read: PayloadReader) {}

  push(chunk: Buffer): void {
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
  }

  line(bytes: Buffer): void {
    this.read(bytes);
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  const feed = Buffer.from('\n');
  return Buffer.concat(lines.flatMap((line) => [line, feed]));
}

/** Whether a line is a complete JSON object, or not an object at all, so that it needs no further lines. */
function standsAlone(payload: Buffer): boolean {
  const at = skipSpace(payload, 0);
  if (at === payload.length) return false;
  return payload[at] !== OPEN_BRACE || endOfValue(payload, at) !== -1;
}

function startsWith(bytes: Buffer, prefix: ArrayLike<number>): boolean {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) {
    if (bytes[i] !== prefix[i]) return false;
  }
  return true;
}
