import { NO_USAGE, type TokenUsage } from '../request-context/token-usage.js';
import type { StreamUsageReader, UsageReader } from './usage/usage-reader.js';

/** Providers put the report at the end of an answer: so much of it is kept. */
const TAIL_BYTES = 256 * 1024;

/** Usage of a JSON answer too long to be held: read from its last part, all the rest passes by. */
export class TailUsage implements StreamUsageReader {
  private chunks: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly reader: UsageReader) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    // Half of it is let go at a time, so that an answer in tiny chunks costs no more than one in large ones.
    if (this.bytes > 2 * TAIL_BYTES) this.compact();
  }

  end(whole: boolean): TokenUsage {
    return whole ? this.reader.buffered(Buffer.concat(this.chunks)) : NO_USAGE;
  }

  private compact(): void {
    const tail = Buffer.from(Buffer.concat(this.chunks).subarray(-TAIL_BYTES));
    this.chunks = [tail];
    this.bytes = tail.length;
  }
}
