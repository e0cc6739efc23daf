import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CURLY,
  LETTER_F,
  LETTER_N,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './bytes.js';
import { NEAR_BYTES, type Watched, type WatchedFields } from './watched-fields.js';

export const CAPTURE_BYTES_MAX = 128 * 1024;

export interface WatchReader<Leaf> {
  /** `value` is JSON, truncated at `CAPTURE_BYTES_MAX` or at the end of the document. It is valid only during the call. */
  value(leaf: Leaf, value: Buffer): void;
  /** The value is an array, `true` or a number, so it is not reported. */
  other?(leaf: Leaf): void;
  /** A document has ended, complete or not. */
  document(): void;
}

/**
 * Finds fields in JSON documents of any size that arrive in chunks, without buffering or parsing the rest. Documents can
 * follow each other or be the elements of an array. Names are compared as written, without decoding escapes. Bytes that are
 * not JSON never cause an error. A leaf is the caller's name for a watched value.
 */
export class FieldWatcher<Leaf> {
  /** The number of open lists and objects. Inside a list or object that is not watched, `watched` is shorter. */
  private depth = 0;
  private readonly watched: WatchedFields<Leaf>[] = [];
  /** For each of `watched`, whether it is an object. */
  private readonly isObject: boolean[] = [];
  private expectsName = false;
  /** The value that follows. Null if it is not watched. */
  private next: Watched<Leaf> | null = null;

  private string: 'none' | 'name' | 'value' = 'none';
  /** The previous chunk ended with a backslash that escapes the next byte. */
  private escaped = false;
  /** The part of a name that earlier chunks contained. */
  private beginningOfName = '';

  private readonly captured = new CapturedLeaf<Leaf>();
  private readonly structure = new StructureSearch();

  constructor(
    private readonly root: WatchedFields<Leaf>,
    private readonly reader: WatchReader<Leaf>,
  ) {}

  get open(): boolean {
    return this.depth > 0 || this.string !== 'none';
  }

  /** Whether the next byte belongs to a string. */
  get inString(): boolean {
    return this.string !== 'none';
  }

  /** The value that has begun and not ended. */
  get openLeaf(): Leaf | null {
    return this.captured.leaf;
  }

  push(chunk: Buffer): void {
    this.structure.restart();
    for (let at = 0; at < chunk.length;) {
      if (this.string !== 'none') at = this.readString(chunk, at);
      else if (this.isWatching) at = this.readWatched(chunk, at);
      else at = this.skipUnwatched(chunk, at);
    }
    this.captured.keep(chunk);
  }

  end(): void {
    const { leaf } = this.captured;
    if (leaf !== null) this.reader.value(leaf, this.captured.takeTruncated());
    const isTruncated = this.depth > 0;
    this.depth = 0;
    this.watched.length = 0;
    this.isObject.length = 0;
    this.expectsName = false;
    this.next = null;
    this.string = 'none';
    this.escaped = false;
    if (isTruncated) this.reader.document();
  }

  /** Whether the position is directly inside a watched list or object, or between two documents. */
  private get isWatching(): boolean {
    return this.watched.length === this.depth && this.captured.leaf === null;
  }

  /** Reads up to the next comma, quote, brace or bracket. Returns the index after it. */
  private readWatched(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && !isStructure(chunk[at]!) && chunk[at] !== COMMA) at++;
    // The value is a number, true, false or null. A string that follows it without a comma is not JSON.
    if (this.next !== null) this.endScalar(firstOfScalar(chunk, from, at));
    if (at === chunk.length) return at;
    if (chunk[at] === COMMA) {
      this.next = null;
      this.expectsName = this.isObject.at(-1) === true;
    } else {
      this.readStructure(chunk, at);
    }
    return at + 1;
  }

  /** @param first 0 without a scalar */
  private endScalar(first: number): void {
    if (first === 0) return;
    const leaf = this.next?.leaf;
    if (leaf !== undefined && first !== LETTER_N && first !== LETTER_F) this.reader.other?.(leaf);
    this.next = null;
  }

  /** Like `readWatched`, but commas do not matter. */
  private skipUnwatched(chunk: Buffer, from: number): number {
    const at = this.structure.next(chunk, from);
    if (at === chunk.length) return at;
    this.readStructure(chunk, at);
    return at + 1;
  }

  private readStructure(chunk: Buffer, at: number): void {
    const byte = chunk[at]!;
    if (byte === QUOTE) this.beginString(at);
    else if ((byte | CURLY) === OPEN_BRACE) this.beginContainer(byte === OPEN_BRACE, at);
    else this.endContainer(chunk, at);
  }

  private beginString(at: number): void {
    const isName = this.isWatching && this.expectsName;
    this.string = isName ? 'name' : 'value';
    this.beginningOfName = '';
    const leaf = this.next?.leaf;
    if (!isName && this.isWatching && leaf !== undefined) this.captured.begin(leaf, this.depth, at);
  }

  private readString(chunk: Buffer, from: number): number {
    const end = this.closingQuote(chunk, from);
    if (end === -1) {
      // A longer name is not watched.
      if (this.string === 'name' && this.beginningOfName.length < NEAR_BYTES)
        this.beginningOfName += chunk.toString('latin1', from);
      return chunk.length;
    }
    if (this.string === 'name') this.endName(chunk, from, end);
    else if (this.captured.leaf !== null && this.depth === this.captured.depth) this.endLeaf(chunk, end + 1);
    this.string = 'none';
    return end + 1;
  }

  private endName(chunk: Buffer, from: number, end: number): void {
    const fields = this.watched.at(-1)!;
    const { beginningOfName } = this;
    this.next =
      beginningOfName === ''
        ? fields.at(chunk, from, end)
        : fields.get(beginningOfName + chunk.toString('latin1', from, end));
    this.expectsName = false;
  }

  private closingQuote(chunk: Buffer, from: number): number {
    let at = this.escaped ? from + 1 : from;
    this.escaped = false;
    const near = Math.min(chunk.length, at + NEAR_BYTES);
    for (; at < near; at++) {
      if (chunk[at] === QUOTE) return at;
      if (chunk[at] === BACKSLASH) at++;
    }
    this.escaped = at > chunk.length;
    if (at >= chunk.length) return -1;
    for (let quote = chunk.indexOf(QUOTE, at); quote !== -1; quote = chunk.indexOf(QUOTE, quote + 1)) {
      if (backslashesBefore(chunk, quote, at) % 2 === 0) return quote;
    }
    this.escaped = backslashesBefore(chunk, chunk.length, at) % 2 === 1;
    return -1;
  }

  private beginContainer(isObject: boolean, at: number): void {
    // The elements of a top-level array are documents.
    if (this.depth === 0 && !isObject) return;
    if (this.isWatching) {
      const fields = this.depth === 0 ? this.root : this.next?.fields;
      const leaf = this.next?.leaf;
      if (fields !== undefined) {
        this.watched.push(fields);
        this.isObject.push(isObject);
        this.expectsName = isObject;
        this.next = isObject ? null : fields.get('0');
      } else if (leaf !== undefined) {
        if (isObject) this.captured.begin(leaf, this.depth, at);
        else this.reader.other?.(leaf);
      }
    }
    this.depth += 1;
  }

  private endContainer(chunk: Buffer, at: number): void {
    if (this.depth === 0) return;
    this.depth -= 1;
    if (this.captured.leaf !== null) {
      if (this.depth === this.captured.depth) this.endLeaf(chunk, at + 1);
    } else if (this.watched.length > this.depth) {
      this.watched.pop();
      this.isObject.pop();
    }
    this.next = null;
    this.expectsName = false;
    if (this.depth === 0) this.reader.document();
  }

  private endLeaf(chunk: Buffer, to: number): void {
    const leaf = this.captured.leaf!;
    this.reader.value(leaf, this.captured.takeComplete(chunk, to));
  }
}

const NOTHING = Buffer.alloc(0);

/** The bytes of the value that is being read. Those of earlier chunks are copied, because their memory is used again. */
class CapturedLeaf<Leaf> {
  leaf: Leaf | null = null;
  /** The number of lists and objects around the value. */
  depth = 0;
  /** Where the value begins in the current chunk. 0 if it began in an earlier chunk. */
  private from = 0;
  private copy = NOTHING;
  private copiedBytes = 0;

  begin(leaf: Leaf, depth: number, at: number): void {
    this.leaf = leaf;
    this.depth = depth;
    this.from = at;
  }

  /** Copies the rest of a chunk, if the value continues in the next one. */
  keep(chunk: Buffer): void {
    if (this.leaf !== null) this.append(chunk, chunk.length);
    this.from = 0;
  }

  /** Ends the value before `to`, and returns it. */
  takeComplete(chunk: Buffer, to: number): Buffer {
    if (this.copiedBytes > 0) {
      this.append(chunk, to);
      return this.takeTruncated();
    }
    this.leaf = null;
    return chunk.subarray(this.from, Math.min(to, this.from + CAPTURE_BYTES_MAX));
  }

  /** Ends the value, and returns the bytes that were copied. */
  takeTruncated(): Buffer {
    const value = this.copy.subarray(0, this.copiedBytes);
    this.leaf = null;
    this.copy = NOTHING;
    this.copiedBytes = 0;
    return value;
  }

  private append(chunk: Buffer, to: number): void {
    const bytes = Math.min(CAPTURE_BYTES_MAX, this.copiedBytes + to - this.from);
    if (bytes > this.copy.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(CAPTURE_BYTES_MAX, Math.max(1024, bytes * 2)));
      this.copy.copy(grown, 0, 0, this.copiedBytes);
      this.copy = grown;
    }
    chunk.copy(this.copy, this.copiedBytes, this.from, this.from + bytes - this.copiedBytes);
    this.copiedBytes = bytes;
  }
}

const STRUCTURE = [QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET];

/** Finds the next quote, brace or bracket. A native search per byte is fast in long numbers and lists of numbers. */
class StructureSearch {
  /** The last index in the chunk at which each byte of `STRUCTURE` was found. */
  private readonly found = [-1, -1, -1, -1, -1];

  /** Call it before each chunk. */
  restart(): void {
    this.found.fill(-1);
  }

  /** Without such a byte, returns the length of the chunk. */
  next(chunk: Buffer, from: number): number {
    let at = from;
    const near = Math.min(chunk.length, at + NEAR_BYTES);
    while (at < near && !isStructure(chunk[at]!)) at++;
    return at < near || at === chunk.length ? at : this.nextDistant(chunk, at);
  }

  private nextDistant(chunk: Buffer, at: number): number {
    let first = chunk.length;
    for (let i = 0; i < STRUCTURE.length; i++) {
      if (this.found[i]! < at) {
        const found = chunk.indexOf(STRUCTURE[i]!, at);
        this.found[i] = found === -1 ? chunk.length : found;
      }
      first = Math.min(first, this.found[i]!);
    }
    return first;
  }
}

const isStructure = (byte: number): boolean =>
  byte === QUOTE || (byte | CURLY) === OPEN_BRACE || (byte | CURLY) === CLOSE_BRACE;

/** Returns the first byte of a number, true, false or null, or 0. */
function firstOfScalar(chunk: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) if (chunk[at]! > SPACE && chunk[at] !== COLON) return chunk[at]!;
  return 0;
}

function backslashesBefore(chunk: Buffer, end: number, from: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === BACKSLASH) at--;
  return end - at;
}
