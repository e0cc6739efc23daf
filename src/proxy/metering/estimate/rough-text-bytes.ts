import { isMediaName } from './request-text.rules.js';

const PIECES = 32;
const QUOTE = 0x22;

/** Media, or a text without blanks. Some clients write each slash with a backslash. */
const RUNS = /[\w+/=\\-]{64,}/g;
const NAME = /"(\w+)"\s*:\s*\[?\s*$/;
/** Before a string: its name. */
const NAMED_BYTES = 128;
const BLANKS = /[ \t\r\n]{2,}/g;

/**
 * How much of a JSON body is text, by `lookedAtMax` bytes in pieces from all over it: a random place in each of 32 equal parts.
 * All that stands in them is text but images, audio and files, and all blanks but one where there are several.
 * @param body longer than `lookedAtMax`
 */
export function roughTextBytes(body: Uint8Array, lookedAtMax: number): number {
  const pieces = new BodyPieces(Buffer.from(body.buffer, body.byteOffset, body.length));
  const length = lookedAtMax / PIECES;
  const partLength = body.length / PIECES;
  let bytes = 0;
  for (let part = 0; part < PIECES; part++) {
    bytes += pieces.textBytesIn(Math.floor(part * partLength + Math.random() * (partLength - length)), length);
  }
  return (bytes * body.length) / lookedAtMax;
}

/** Read from the body's beginning on, so that it is searched for quotes once at most, however long its strings are. */
class BodyPieces {
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

  /** Whether the string around `at` is called so, or the list of which it is the first. */
  private isMedia(at: number): boolean {
    const start = this.quoteBefore(at);
    // A quote within a text has a backslash before it, and so has the name before that.
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
