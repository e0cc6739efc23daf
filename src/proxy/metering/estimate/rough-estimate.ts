import { QUOTE } from '../../../platform/json/bytes.js';
import { isMediaName } from '../../../platform/json/media-names.js';
import { estimate } from './count-tokens.js';
import type { CountTokens, Estimate, EstimateJob, Side } from './estimate-job.js';

/** Reading this much takes 0.1 ms. Finding the name of a long string adds 1 ms per megabyte. */
const ROUGH_BYTES_MAX = 16 * 1024;
const BYTES_PER_TOKEN = 4;
const PIECES = 32;

const byBytes: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/**
 * Counts four bytes of text as one token, in a sample of a long request or in the beginning of a long response. Never throws.
 * A job whose text cannot be read counts as 0 tokens.
 */
export function roughEstimate({ request, response }: EstimateJob): Estimate {
  const long = request !== null && request.bytes.length > ROUGH_BYTES_MAX ? request : null;
  const short = {
    request: long === null ? request : null,
    response: response === null ? null : { ...response, ...beginningOf(response) },
  };
  try {
    const rough = estimate(short, byBytes);
    return long === null ? rough : { ...rough, input: roughTokens(long) };
  } catch {
    return { input: 0, output: 0 };
  }
}

const beginningOf = ({ bytes, totalBytes }: Side): Side => ({ bytes: bytes.subarray(0, ROUGH_BYTES_MAX), totalBytes });

const roughTokens = ({ bytes, totalBytes }: Side): number =>
  Math.ceil((roughTextBytes(bytes) / BYTES_PER_TOKEN) * (totalBytes / bytes.length));

/** A run is media, or text without spaces. Some clients escape slashes with a backslash. */
const RUNS = /[\w+/=\\-]{64,}/g;
const NAME = /"(\w+)"\s*:\s*\[?\s*$/;
const NAMED_BYTES = 128;
const BLANKS = /[ \t\r\n]{2,}/g;

/** Reads a random piece of each of 32 equal parts. Media and repeated whitespace do not count. */
function roughTextBytes(body: Uint8Array): number {
  const sample = new BodySample(Buffer.from(body.buffer, body.byteOffset, body.length));
  const length = ROUGH_BYTES_MAX / PIECES;
  const partLength = body.length / PIECES;
  let bytes = 0;
  for (let part = 0; part < PIECES; part++) {
    bytes += sample.textBytesIn(Math.floor(part * partLength + Math.random() * (partLength - length)), length);
  }
  return (bytes * body.length) / ROUGH_BYTES_MAX;
}

/** Pieces must be read in order, so that the body is searched for quotes only once. */
class BodySample {
  private searched = 0;
  private lastQuote = -1;

  constructor(private readonly body: Buffer) {}

  textBytesIn(from: number, length: number): number {
    const piece = this.body.toString('latin1', from, from + length);
    let bytes = length;
    for (const { 0: blanks } of piece.matchAll(BLANKS)) bytes -= blanks.length - 1;
    for (const { index, 0: run } of piece.matchAll(RUNS)) if (this.isMedia(from + index)) bytes -= run.length;
    return bytes;
  }

  /** Whether the string around `at`, or the array that starts with it, has a media name. */
  private isMedia(at: number): boolean {
    const start = this.quoteBefore(at);
    // `NAME` does not match quotes inside a text, because they are escaped.
    const before = this.body.toString('latin1', Math.max(0, start - NAMED_BYTES), Math.max(0, start));
    return isMediaName(NAME.exec(before)?.[1] ?? '');
  }

  private quoteBefore(at: number): number {
    const found = this.body.subarray(this.searched, at).lastIndexOf(QUOTE);
    if (found !== -1) this.lastQuote = this.searched + found;
    this.searched = at;
    return this.lastQuote;
  }
}
