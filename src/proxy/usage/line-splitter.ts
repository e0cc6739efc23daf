/** Bytes of a line that are held at most; what a longer one says is not looked at. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;
/** A buffer up to this size is kept from one line to the next. */
const KEPT_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export interface LineReader {
  /** A line without its end; a view, good during the call only. */
  line(bytes: Buffer): void;
  /**
   * Called where a line begins: from where on the chunk is worth splitting. Only whole lines may be left out, so the answer is
   * `at`, or the index after a line feed. This is what keeps a chunk without news as cheap as one search through it.
   */
  skip(chunk: Buffer, at: number): number;
}

/**
 * Splits bytes that come in pieces into lines that end in `\n`, `\r\n` or `\r`. A piece may be cut anywhere and is not kept.
 * Memory: the line that has begun, up to LINE_BYTES_MAX; a longer line is left out whole.
 */
export class LineSplitter {
  private held = NOTHING;
  private heldBytes = 0;
  private tooLong = false;
  private afterCr = false;

  constructor(private readonly reader: LineReader) {}

  /** Bytes of the line that has begun. */
  get pendingBytes(): number {
    return this.heldBytes;
  }

  push(chunk: Buffer): void {
    const length = chunk.length;
    if (length === 0) return;
    let at = this.afterCr && chunk[0] === LF ? 1 : 0;
    this.afterCr = false;
    let lf = -1;
    let cr = -1;
    while (at < length) {
      if (this.heldBytes === 0 && !this.tooLong) at = this.reader.skip(chunk, at);
      if (at >= length) return;
      // Looked for once and kept until passed: a chunk without CR is searched for one only once.
      if (lf < at) lf = find(chunk, LF, at);
      if (cr < at) cr = find(chunk, CR, at);
      const end = Math.min(lf, cr);
      if (end === length) {
        this.hold(chunk, at, length);
        return;
      }
      this.finish(chunk, at, end);
      at = end + 1;
      if (end === cr) {
        if (at === length) this.afterCr = true;
        else if (chunk[at] === LF) at++;
      }
    }
  }

  /** The stream is over: what stands after the last line end is a line too. */
  end(): void {
    if (this.heldBytes > 0) this.finish(NOTHING, 0, 0);
  }

  private finish(chunk: Buffer, from: number, to: number): void {
    if (this.heldBytes === 0 && !this.tooLong) {
      if (to - from <= LINE_BYTES_MAX) this.reader.line(chunk.subarray(from, to));
      return;
    }
    this.hold(chunk, from, to);
    const line = this.held.subarray(0, this.heldBytes);
    const whole = !this.tooLong;
    this.heldBytes = 0;
    this.tooLong = false;
    if (this.held.length > KEPT_BYTES) this.held = NOTHING;
    if (whole) this.reader.line(line);
  }

  private hold(chunk: Buffer, from: number, to: number): void {
    const bytes = this.heldBytes + to - from;
    if (this.tooLong || bytes > LINE_BYTES_MAX) {
      this.tooLong = true;
      this.held = NOTHING;
      this.heldBytes = 0;
      return;
    }
    if (bytes > this.held.length) {
      // Grown by doubling: a line that comes byte by byte is copied twice in all, not once a byte.
      const grown = Buffer.allocUnsafeSlow(Math.min(LINE_BYTES_MAX, Math.max(1024, bytes, this.held.length * 2)));
      this.held.copy(grown, 0, 0, this.heldBytes);
      this.held = grown;
    }
    chunk.copy(this.held, this.heldBytes, from, to);
    this.heldBytes = bytes;
  }
}

/** Where `byte` is next; the chunk's length where it is not. */
function find(chunk: Buffer, byte: number, at: number): number {
  const found = chunk.indexOf(byte, at);
  return found === -1 ? chunk.length : found;
}
