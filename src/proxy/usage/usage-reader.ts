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
  /** The text that is counted where nothing is reported; `nothing`: what goes in and comes out is no text, or does not cost as text. */
  readonly estimates: 'request and answer' | 'request' | 'nothing';
  /** `contentType` as the upstream sent it: anything but JSON. */
  stream(contentType: string): StreamUsageReader;
  /** `body` is a whole buffered answer. */
  buffered(body: Buffer): TokenUsage;
}
