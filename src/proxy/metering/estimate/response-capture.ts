import type { CaptureMemory } from '../../response-memory.js';
import { formatByShape } from '../response-format.js';

/** The tokens beyond these bytes are extrapolated. */
export const CAPTURE_BYTES_MAX = 256 * 1024;
/** Each capture can use this much without a reservation. */
const OWN_BYTES = 16 * 1024;
const FIRST_BYTES = 2 * 1024;
/** A few dozen events. The event at the end of a part is truncated and not counted. */
const PART_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Keeps a part of a response in case it does not report its usage: its beginning, or a random sample of a longer event stream.
 * Each part of a stream is equally likely, so a client cannot place cheap text where it is counted.
 */
export class ResponseCapture {
  private kept = NOTHING;
  private keptBytes = 0;
  private full = false;
  private released = false;
  private isSampled = false;
  /** The number of parts so far. `place` is the index of the current part in `kept`, or -1 if the part is not kept. */
  private parts = 0;
  private place = -1;
  private partBytes = PART_BYTES;
  /** Bytes reserved in `memory`. */
  private shared = 0;
  private total = 0;

  constructor(private readonly memory: CaptureMemory) {}

  /** Copies `chunk`, because a slice would keep the socket's whole buffer in memory. */
  push(chunk: Buffer): void {
    if (this.total === 0) this.isSampled = formatByShape(chunk) === 'sse';
    this.total += chunk.length;
    if (this.released) return;
    if (this.full) return this.sample(chunk, 0);
    const bytes = this.keptBytes + chunk.length;
    if (bytes > this.kept.length) this.grow(bytes);
    const copied = chunk.copy(this.kept, this.keptBytes);
    this.keptBytes += copied;
    if (this.full) this.sample(chunk, copied);
  }

  /** The length of the response so far, kept or not. */
  get totalBytes(): number {
    return this.total;
  }

  /** The kept bytes. */
  get bytes(): Buffer {
    return this.kept.subarray(0, this.keptBytes);
  }

  /** Call once, when the stream has ended. */
  release(): void {
    this.released = true;
    this.memory.release(this.shared);
    this.shared = 0;
  }

  /** Reservoir sampling: the nth part replaces a kept part with probability places / n. */
  private sample(chunk: Buffer, from: number): void {
    if (!this.isSampled) return;
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
    // A full capture never grows again, because sampling needs a fixed number of places.
    this.full = size < bytes;
    if (size === this.kept.length) return;
    const grown = Buffer.allocUnsafeSlow(size);
    this.kept.copy(grown, 0, 0, this.keptBytes);
    this.kept = grown;
  }
}
