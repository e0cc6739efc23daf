import { NO_USAGE, type TokenUsage } from '../../request-context/token-usage.js';
import type { StreamUsageReader, UsageReader } from './usage-reader.js';

/** Providers put the report at the end of an answer: so much of it is kept. */
const TAIL_BYTES = 256 * 1024;

/** Usage of a JSON answer too long to be held: read from its last part, all the rest passes by. */
export class TailUsage implements StreamUsageReader {
  /** Written round and round: what is overwritten is not needed any more. */
  private readonly ring = Buffer.allocUnsafe(TAIL_BYTES);
  private at = 0;
  private full = false;

  constructor(private readonly reader: UsageReader) {}

  push(chunk: Buffer): void {
    const last = chunk.length > TAIL_BYTES ? chunk.subarray(-TAIL_BYTES) : chunk;
    const fits = last.copy(this.ring, this.at);
    this.at += fits;
    if (this.at < TAIL_BYTES) return;
    this.full = true;
    this.at = last.copy(this.ring, 0, fits);
  }

  end(whole: boolean): TokenUsage {
    return whole ? this.reader.buffered(this.tail()) : NO_USAGE;
  }

  private tail(): Buffer {
    const newest = this.ring.subarray(0, this.at);
    return this.full ? Buffer.concat([this.ring.subarray(this.at), newest]) : newest;
  }
}
