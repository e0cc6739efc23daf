import type { TokenUsage } from '../../request-context/token-usage.js';

/** Reads the usage of one streamed answer from a copy of its bytes. Never throws; holds at most `LINE_BYTES_MAX` bytes. */
export interface StreamUsageReader {
  /** `chunk` may be cut anywhere, also inside a character; it is not kept. */
  push(chunk: Buffer): void;
  /** Once, when the stream has ended; `whole` false: it was cut. */
  end(whole: boolean): TokenUsage;
}

/** How the answers of a kind of route tell what they cost. */
export interface UsageReader {
  /** False: answers of these routes are no text that costs, what goes in is all. */
  readonly hasOutput: boolean;
  /** `contentType` as the upstream sent it: SSE or NDJSON. */
  stream(contentType: string): StreamUsageReader;
  /** `body` is a whole buffered answer. */
  buffered(body: Buffer): TokenUsage;
}
