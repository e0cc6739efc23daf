/** Kept of one answer at most; the rest is counted in proportion. */
export const CAPTURE_BYTES_MAX = 256 * 1024;
/** What every stream may keep, however many there are. */
const OWN_BYTES = 16 * 1024;
const FIRST_BYTES = 2 * 1024;
/** What all streams of the process may keep beyond their own: with 2,000 of them 160 MB in all. */
const SHARED_BYTES_MAX = 128 * 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/** The room that the streams of a process share. */
export class CaptureRoom {
  private left: number;

  constructor(bytesMax = SHARED_BYTES_MAX) {
    this.left = bytesMax;
  }

  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.left += bytes;
  }
}

/** The beginning of an answer, for the case that it does not say what it cost. One copy a chunk, nothing is looked at. */
export class AnswerCapture {
  private kept = NOTHING;
  private keptBytes = 0;
  private full = false;
  private shared = 0;
  private total = 0;

  constructor(private readonly room: CaptureRoom) {}

  /** `chunk` is copied: a slice would keep the whole buffer of its socket. */
  push(chunk: Buffer): void {
    this.total += chunk.length;
    if (this.full) return;
    const bytes = this.keptBytes + chunk.length;
    if (bytes > this.kept.length) this.grow(bytes);
    this.keptBytes += chunk.copy(this.kept, this.keptBytes);
  }

  /** All bytes that came. */
  get totalBytes(): number {
    return this.total;
  }

  /** What was kept of them, a view on memory of its own. */
  get bytes(): Buffer {
    return this.kept.subarray(0, this.keptBytes);
  }

  /** Once, when the stream has ended: the shared room is others' from now on. */
  release(): void {
    this.full = true;
    this.room.giveBack(this.shared);
    this.shared = 0;
  }

  private grow(bytes: number): void {
    const wanted = Math.min(CAPTURE_BYTES_MAX, Math.max(FIRST_BYTES, this.kept.length * 2, bytes));
    const more = Math.max(0, wanted - OWN_BYTES) - this.shared;
    const size = this.room.take(more) ? wanted : Math.max(OWN_BYTES, this.kept.length);
    if (size === wanted) this.shared += more;
    // What does not fit now is only counted from here on: a copy with a gap would not be a beginning any more.
    this.full = size < bytes;
    if (size === this.kept.length) return;
    const grown = Buffer.allocUnsafeSlow(size);
    this.kept.copy(grown, 0, 0, this.keptBytes);
    this.kept = grown;
  }
}
