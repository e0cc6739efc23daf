import { BYTE_ORDER_MARK, LINE_FEED, startsAt } from '../json/bytes.js';
import { LineCutter, type PieceReader } from './line-splitter.js';

/** `json` is one document, `ndjson` a document per line, and `sse` an event stream. */
export type StreamFormat = 'json' | 'ndjson' | 'sse';

/** Receives the data of a stream while it arrives. Nothing is held between two calls. */
export interface EventSubscriber {
  /** An event begins at this index in the chunk, possibly with another field than its data. Only called for server-sent events. */
  eventStart?(at: number): void;
  /** A part of the data, which can begin and end anywhere. It is valid only during the call. */
  data(piece: Buffer): void;
  /** A line with data has ended. Some providers omit the blank line between events. */
  lineEnd?(): void;
  /** The current event is an error, regardless of its data. */
  errorEvent?(): void;
  /** The event has ended before this index in the chunk, possibly without data. In NDJSON, each line is an event. */
  eventEnd(at: number): void;
}

/** Positions in a chunk at which something to read can begin. */
export interface MarkSearch {
  /** Called for each chunk. */
  reset(): void;
  /** Bytes are searched only once: for a position that was searched before, it returns `at`. */
  next(chunk: Buffer, at: number): number;
}

export interface EventReader {
  /** @param chunk can begin and end anywhere, even inside a character */
  push(chunk: Buffer): void;
  /** Call it once, after the last chunk. */
  end(): void;
}

/**
 * The reader of event streams. It finds the data of each event in a response of any format, for one subscriber.
 * @param marks with them, complete events without a mark are skipped at the cost of a native search
 */
export function eventReader(
  format: StreamFormat,
  subscriber: EventSubscriber,
  marks: MarkSearch | null = null,
): EventReader {
  if (format === 'sse') return new ServerSentEvents(subscriber, marks);
  return format === 'ndjson' ? new JsonLines(subscriber, marks) : new SingleDocument(subscriber);
}

class SingleDocument implements EventReader {
  constructor(private readonly subscriber: EventSubscriber) {}

  push(chunk: Buffer): void {
    this.subscriber.data(chunk);
  }

  end(): void {
    this.subscriber.eventEnd(0);
  }
}

abstract class LineEvents implements EventReader, PieceReader {
  private readonly lines = new LineCutter(this);

  constructor(
    protected readonly subscriber: EventSubscriber,
    protected readonly marks: MarkSearch | null,
  ) {}

  push(chunk: Buffer): void {
    this.marks?.reset();
    this.lines.push(chunk);
  }

  end(): void {
    this.lines.end();
  }

  abstract skip(chunk: Buffer, at: number): number;
  abstract piece(chunk: Buffer, from: number, to: number): void;
  abstract lineEnd(chunk: Buffer, from: number, to: number, next: number): void;
}

class JsonLines extends LineEvents {
  skip(chunk: Buffer, at: number): number {
    if (this.marks === null) return at;
    const next = this.marks.next(chunk, at);
    return at + chunk.subarray(at, next).lastIndexOf(LINE_FEED) + 1;
  }

  piece(chunk: Buffer, from: number, to: number): void {
    this.subscriber.data(chunk.subarray(from, to));
  }

  lineEnd(chunk: Buffer, from: number, to: number, next: number): void {
    this.piece(chunk, from, to);
    this.subscriber.lineEnd?.();
    this.subscriber.eventEnd(next);
  }
}

const DATA = Buffer.from('data:');
/** Lines that matter. Some providers use `event: error` or an `error:` field for errors. */
const BEGINNINGS = ['data:', 'event: error', 'event:error', 'error:'];

const EVENT_END = Buffer.from('\n\n');
const EVENT_END_CRLF = Buffer.from('\r\n\r\n');

class ServerSentEvents extends LineEvents {
  private inEvent = false;
  /** The current line, up to the byte that decides its kind. */
  private line = '';
  private isData = false;

  override end(): void {
    super.end();
    this.endEvent(0);
  }

  /** Between two events, skips all complete events before the next mark. */
  skip(chunk: Buffer, at: number): number {
    if (this.inEvent || this.marks === null) return at;
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
    if (!this.inEvent && from < to) {
      this.inEvent = true;
      this.subscriber.eventStart?.(from);
    }
    const at = this.isData ? from : this.readField(chunk, from, to);
    if (this.isData && at < to) this.subscriber.data(chunk.subarray(at, to));
  }

  lineEnd(chunk: Buffer, from: number, to: number, next: number): void {
    this.piece(chunk, from, to);
    const { line, isData } = this;
    this.line = '';
    this.isData = false;
    if (line === '') return this.endEvent(next);
    if (isData) this.subscriber.lineEnd?.();
    else if (line === 'event: error' || line === 'event:error') this.subscriber.errorEvent?.();
  }

  /** Returns the index after the field name, or after the byte that rules out every line that matters. */
  private readField(chunk: Buffer, from: number, to: number): number {
    let at = from;
    if (this.line === '' && startsAt(chunk, from, DATA)) {
      this.line = 'data:';
      this.isData = true;
      return from + DATA.length;
    }
    while (at < to && !this.isData && BEGINNINGS.some((beginning) => beginning.startsWith(this.line))) {
      const byte = chunk[at++]!;
      if (this.line === '' && BYTE_ORDER_MARK.includes(byte)) continue;
      this.line += String.fromCharCode(byte);
      if (this.line === 'error:') this.subscriber.errorEvent?.();
      this.isData = this.line === 'data:' || this.line === 'error:';
    }
    return at;
  }

  private endEvent(at: number): void {
    this.subscriber.eventEnd(at);
    this.inEvent = false;
  }
}
