import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LETTER_F,
  LETTER_N,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './bytes.js';
import { NEAR_BYTES, type Watched, type WatchedFields } from './watched-fields.js';
const STRUCTURE = [QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET];

export const CAPTURE_BYTES_MAX = 128 * 1024;
const NOTHING = Buffer.alloc(0);

export interface WatchReader<Leaf> {
  /** `value` is JSON, truncated at `CAPTURE_BYTES_MAX` or at the end of the document. It is valid only during the call. */
  value(leaf: Leaf, value: Buffer): void;
  /** The value is an array, `true` or a number, so it is not reported. */
  other?(leaf: Leaf): void;
  /** A document has ended, complete or not. */
  document(): void;
}

type StringKind = 'none' | 'name' | 'value';

/**
 * Finds fields in JSON documents of any size that arrive in chunks, without buffering or parsing the rest. Documents can
 * follow each other or be the elements of an array. Names are compared as written, without decoding escapes. Bytes that are
 * not JSON never cause an error.
 */
export class FieldWatcher<Leaf> {
  private depth = 0;
  private readonly path: WatchedFields<Leaf>[] = [];
  private readonly objects: boolean[] = [];
  private expectsName = false;
  private next: Watched<Leaf> | null = null;

  private string: StringKind = 'none';
  /** The previous chunk ended with a backslash that escapes the next byte. */
  private escaped = false;
  private name = '';

  /** The leaf being captured. It began at `leafDepth`. */
  private leaf: Leaf | null = null;
  private leafDepth = 0;
  private leafFrom = 0;
  private kept = NOTHING;
  private keptBytes = 0;
  /** The last index in the current chunk at which each byte of `STRUCTURE` was found. */
  private readonly found = [-1, -1, -1, -1, -1];

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
    return this.leaf;
  }

  push(chunk: Buffer): void {
    this.leafFrom = 0;
    this.found.fill(-1);
    for (let at = 0; at < chunk.length;) {
      if (this.string !== 'none') at = this.readString(chunk, at);
      else if (this.onPath) at = this.readField(chunk, at);
      else at = this.readSkipped(chunk, at);
    }
    if (this.leaf !== null) this.keep(chunk, chunk.length);
  }

  end(): void {
    if (this.leaf !== null) this.report(this.kept.subarray(0, this.keptBytes));
    const begun = this.depth > 0;
    this.depth = 0;
    this.path.length = 0;
    this.objects.length = 0;
    this.expectsName = false;
    this.next = null;
    this.string = 'none';
    this.escaped = false;
    if (begun) this.reader.document();
  }

  /** Whether the position is directly inside a watched container, or between two documents. */
  private get onPath(): boolean {
    return this.path.length === this.depth && this.leaf === null;
  }

  private readField(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && !isStructure(chunk[at]!) && chunk[at] !== COMMA) at++;
    // The value is a number, true, false or null. A string that follows it without a comma is not JSON.
    if (this.next !== null) this.endScalar(firstOfScalar(chunk, from, at));
    if (at === chunk.length) return at;
    const byte = chunk[at]!;
    if (byte === COMMA) {
      this.next = null;
      this.expectsName = this.objects.at(-1) === true;
    } else {
      this.structure(byte, chunk, at);
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

  private readSkipped(chunk: Buffer, from: number): number {
    let at = from;
    const near = Math.min(chunk.length, at + NEAR_BYTES);
    while (at < near && !isStructure(chunk[at]!)) at++;
    if (at === near && at < chunk.length) at = this.nextStructure(chunk, at);
    if (at === chunk.length) return at;
    this.structure(chunk[at]!, chunk, at);
    return at + 1;
  }

  private structure(byte: number, chunk: Buffer, at: number): void {
    if (byte === QUOTE) this.beginString(at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.beginContainer(byte === OPEN_BRACE, at);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.endContainer(chunk, at);
  }

  private beginString(at: number): void {
    const { onPath } = this;
    this.string = onPath && this.expectsName ? 'name' : 'value';
    this.name = '';
    const leaf = onPath && !this.expectsName ? this.next?.leaf : undefined;
    if (leaf !== undefined) this.beginLeaf(leaf, at);
  }

  private beginContainer(isObject: boolean, at: number): void {
    // The elements of a top-level array are documents.
    if (this.depth === 0 && !isObject) return;
    if (this.onPath) {
      const { fields, leaf } = this.depth === 0 ? { fields: this.root } : (this.next ?? {});
      if (fields !== undefined) {
        this.path.push(fields);
        this.objects.push(isObject);
        this.expectsName = isObject;
        this.next = isObject ? null : fields.get('0');
      } else if (leaf !== undefined) {
        if (isObject) this.beginLeaf(leaf, at);
        else this.reader.other?.(leaf);
      }
    }
    this.depth += 1;
  }

  private endContainer(chunk: Buffer, at: number): void {
    if (this.depth === 0) return;
    this.depth -= 1;
    if (this.leaf !== null) {
      if (this.depth === this.leafDepth) this.endLeaf(chunk, at + 1);
    } else if (this.path.length > this.depth) {
      this.path.pop();
      this.objects.pop();
    }
    this.next = null;
    this.expectsName = false;
    if (this.depth === 0) this.reader.document();
  }

  private readString(chunk: Buffer, from: number): number {
    const end = this.closingQuote(chunk, from);
    if (end === -1) {
      if (this.string === 'name' && this.name.length < NEAR_BYTES) this.name += chunk.toString('latin1', from);
      return chunk.length;
    }
    if (this.string === 'name') {
      const fields = this.path.at(-1)!;
      this.next =
        this.name === '' ? fields.at(chunk, from, end) : fields.get(this.name + chunk.toString('latin1', from, end));
      this.expectsName = false;
    } else if (this.leaf !== null && this.depth === this.leafDepth) {
      this.endLeaf(chunk, end + 1);
    }
    this.string = 'none';
    return end + 1;
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

  private nextStructure(chunk: Buffer, at: number): number {
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

  private beginLeaf(leaf: Leaf, at: number): void {
    this.leaf = leaf;
    this.leafDepth = this.depth;
    this.leafFrom = at;
  }

  private endLeaf(chunk: Buffer, to: number): void {
    if (this.keptBytes === 0)
      return this.report(chunk.subarray(this.leafFrom, Math.min(to, this.leafFrom + CAPTURE_BYTES_MAX)));
    this.keep(chunk, to);
    this.report(this.kept.subarray(0, this.keptBytes));
  }

  private report(value: Buffer): void {
    const { leaf } = this;
    this.leaf = null;
    this.kept = NOTHING;
    this.keptBytes = 0;
    if (leaf !== null) this.reader.value(leaf, value);
  }

  private keep(chunk: Buffer, to: number): void {
    const from = this.leafFrom;
    const bytes = Math.min(CAPTURE_BYTES_MAX, this.keptBytes + to - from);
    if (bytes > this.kept.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(CAPTURE_BYTES_MAX, Math.max(1024, bytes * 2)));
      this.kept.copy(grown, 0, 0, this.keptBytes);
      this.kept = grown;
    }
    chunk.copy(this.kept, this.keptBytes, from, from + bytes - this.keptBytes);
    this.keptBytes = bytes;
  }
}

/** Returns the first byte of a number, true, false or null, or 0. */
function firstOfScalar(chunk: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) if (chunk[at]! > SPACE && chunk[at] !== COLON) return chunk[at]!;
  return 0;
}

// A brace and its bracket differ in one bit.
const isStructure = (byte: number): boolean =>
  byte === QUOTE || (byte | 0x20) === OPEN_BRACE || (byte | 0x20) === CLOSE_BRACE;

function backslashesBefore(chunk: Buffer, end: number, from: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === BACKSLASH) at--;
  return end - at;
}
