import type { CaptureMemory } from '../../../fairness/response-memory.js';
import { formatByLook } from '../response-format.js';

/** Kept of one answer at most; the rest is counted in proportion. */
export const CAPTURE_BYTES_MAX = 256 * 1024;
/** What every stream may keep, however many there are. */
const OWN_BYTES = 16 * 1024;
const FIRST_BYTES = 2 * 1024;
/** A part of a long stream: some dozen events. The one that a part's end cuts is lost. */
const PART_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * An answer, for the case that it does not say what it cost: its beginning; of a longer stream of events parts from all over it,
 * each as likely as any other, so that nobody can have the cheap text where it is looked at. One copy a chunk at most.
 */
export class ResponseCapture {
  private kept = NOTHING;
  private keptBytes = 0;
  private full = false;
  private released = false;
  private spreads = false;
  /** Parts that came, the one under way too; where that is put, -1: nowhere; and its bytes so far. */
  private parts = 0;
  private place = -1;
  private partBytes = PART_BYTES;
  private shared = 0;
  private total = 0;

  constructor(private readonly memory: CaptureMemory) {}

  /** `chunk` is copied: a slice would keep the whole buffer of its socket. */
  push(chunk: Buffer): void {
    if (this.total === 0) this.spreads = formatByLook(chunk) === 'sse';
    this.total += chunk.length;
    if (this.released) return;
    if (this.full) return this.spread(chunk, 0);
    const bytes = this.keptBytes + chunk.length;
    if (bytes > this.kept.length) this.grow(bytes);
    const copied = chunk.copy(this.kept, this.keptBytes);
    this.keptBytes += copied;
    if (this.full) this.spread(chunk, copied);
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
    this.released = true;
    this.memory.release(this.shared);
    this.shared = 0;
  }

  /** What does not fit takes the place of what was kept: the nth part with a chance of places / n, as all before it had. */
  private spread(chunk: Buffer, from: number): void {
    if (!this.spreads) return;
    const places = Math.floor(this.keptBytes / PART_BYTES);
    for (let at = from; at < chunk.length;) {
      if (this.partBytes === PART_BYTES) {
        this.parts = Math.max(this.parts, places) + 1;
        const place = Math.floor(Math.random() * this.parts);
        this.place = place < places ? place : -1;
        this.partBytes = 0;
      }
      const end = Math.min(chunk.length, at + PART_BYTES - this.partBytes);
      if (this.place !== -1) chunk.copy(this.kept, this.place * PART_BYTES + this.partBytes, at, end);
      this.partBytes += end - at;
      at = end;
    }
  }

  private grow(bytes: number): void {
    const wanted = Math.min(CAPTURE_BYTES_MAX, Math.max(FIRST_BYTES, this.kept.length * 2, bytes));
    const more = Math.max(0, wanted - OWN_BYTES) - this.shared;
    const size = this.memory.take(more) ? wanted : Math.max(OWN_BYTES, this.kept.length);
    if (size === wanted) this.shared += more;
    // It grows no more from here on, even where there is room again: parts have their places.
    this.full = size < bytes;
    if (size === this.kept.length) return;
    const grown = Buffer.allocUnsafeSlow(size);
    this.kept.copy(grown, 0, 0, this.keptBytes);
    this.kept = grown;
  }
}
