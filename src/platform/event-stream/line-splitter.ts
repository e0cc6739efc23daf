import { CARRIAGE_RETURN, LINE_FEED } from '../json/bytes.js';

export const LINE_BYTES_MAX = 8 * 1024 * 1024;

const KEPT_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** `chunk` is valid only during the call. */
export interface PieceReader {
  /** The line continues in the next chunk. */
  piece(chunk: Buffer, from: number, to: number): void;
  /** The last bytes of a line, without its line end. They can be empty. `next` is the index after the line end. */
  lineEnd(chunk: Buffer, from: number, to: number, next: number): void;
  /** Called at the start of a line. Returns `at`, or the index of a later line to continue with. */
  skip?(chunk: Buffer, at: number): number;
}

/** Finds lines without holding bytes. A line ends in `\n`, `\r\n` or `\r`. */
export class LineCutter {
  private inLine = false;
  private afterCr = false;

  constructor(private readonly reader: PieceReader) {}

  push(chunk: Buffer): void {
    const { reader } = this;
    const length = chunk.length;
    if (length === 0) return;
    let at = this.afterCr && chunk[0] === LINE_FEED ? 1 : 0;
    this.afterCr = false;
    // Kept until the scan passes it, so that a chunk without `\r` is searched for it only once.
    let lf = -1;
    let cr = -1;
    while (at < length) {
      if (!this.inLine && reader.skip !== undefined) at = reader.skip(chunk, at);
      if (at >= length) return;
      if (lf < at) lf = find(chunk, LINE_FEED, at);
      if (cr < at) cr = find(chunk, CARRIAGE_RETURN, at);
      const end = Math.min(lf, cr);
      this.inLine = end === length;
      if (this.inLine) return reader.piece(chunk, at, end);
      let next = end + 1;
      if (end === cr) {
        if (next === length) this.afterCr = true;
        else if (chunk[next] === LINE_FEED) next++;
      }
      reader.lineEnd(chunk, at, end, next);
      at = next;
    }
  }

  end(): void {
    if (this.inLine) this.reader.lineEnd(NOTHING, 0, 0, 0);
    this.inLine = false;
  }
}

export interface LineReader {
  /** @param bytes without the line end, valid only during the call */
  line(bytes: Buffer): void;
  /** Throws. The rest of the stream is not read. */
  lineTooLong(): never;
}

/** Holds the unfinished line, up to `LINE_BYTES_MAX`. */
export class LineSplitter implements PieceReader {
  private readonly cutter = new LineCutter(this);
  private held = NOTHING;
  private heldBytes = 0;

  constructor(private readonly reader: LineReader) {}

  push(chunk: Buffer): void {
    this.cutter.push(chunk);
  }

  end(): void {
    this.cutter.end();
  }

  lineEnd(chunk: Buffer, from: number, to: number): void {
    if (this.heldBytes === 0) {
      if (to - from > LINE_BYTES_MAX) this.reader.lineTooLong();
      return this.reader.line(chunk.subarray(from, to));
    }
    this.piece(chunk, from, to);
    const line = this.held.subarray(0, this.heldBytes);
    this.heldBytes = 0;
    if (this.held.length > KEPT_BYTES) this.held = NOTHING;
    this.reader.line(line);
  }

  piece(chunk: Buffer, from: number, to: number): void {
    const bytes = this.heldBytes + to - from;
    if (bytes > LINE_BYTES_MAX) this.reader.lineTooLong();
    if (bytes > this.held.length) {
      // The size doubles, so that a line that arrives byte by byte is copied about twice in total.
      const grown = Buffer.allocUnsafeSlow(Math.min(LINE_BYTES_MAX, Math.max(1024, bytes, this.held.length * 2)));
      this.held.copy(grown, 0, 0, this.heldBytes);
      this.held = grown;
    }
    chunk.copy(this.held, this.heldBytes, from, to);
    this.heldBytes = bytes;
  }
}

function find(chunk: Buffer, byte: number, at: number): number {
  const found = chunk.indexOf(byte, at);
  return found === -1 ? chunk.length : found;
}
