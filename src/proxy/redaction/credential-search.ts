import { SECRET_LENGTH_MIN } from '../../platform/config/secret-texts.rules.js';

/** A longer beginning of a credential at the end of a chunk is held until the next chunk. A shorter one is not secret. */
const HELD_BYTES_MIN = 8;
const NOTHING = Buffer.alloc(0);

/**
 * Replaces an account's credentials in a response that arrives in chunks. A chunk that contains no part of a credential is passed on
 * unchanged, after one native search per credential.
 */
export class CredentialSearch {
  /** The end of the last chunk, if it can be the beginning of a credential: forwarded, or held. */
  private forwarded = NOTHING;
  private held = NOTHING;

  constructor(
    private readonly spellings: CredentialSpellings,
    private readonly placeholder: (length: number) => string,
  ) {}

  /** Returns the bytes to forward now. */
  push(chunk: Buffer): Buffer {
    const { spellings, forwarded, held } = this;
    const continues = forwarded.length + held.length > 0;
    if (!continues && !spellings.occurIn(chunk) && spellings.beginningAtEnd(chunk, 0) === 0) return chunk;
    this.forwarded = this.held = NOTHING;
    return this.redact(continues ? Buffer.concat([forwarded, held, chunk]) : chunk, forwarded.length);
  }

  /** Returns the bytes that are still held. Call it once, after the last chunk. */
  end(): Buffer {
    const { held } = this;
    this.held = NOTHING;
    return held;
  }

  /** @param from the bytes before it are already forwarded */
  private redact(bytes: Buffer, from: number): Buffer {
    const pieces: Buffer[] = [];
    let at = from;
    let searched = 0;
    for (const found of this.spellings.occurrencesIn(bytes)) {
      const start = Math.max(at, found.at);
      pieces.push(bytes.subarray(at, start), Buffer.from(this.placeholder(found.end - start)));
      at = searched = found.end;
    }
    const beginning = this.spellings.beginningAtEnd(bytes, searched);
    const end = beginning < HELD_BYTES_MIN ? bytes.length : Math.max(at, bytes.length - beginning);
    pieces.push(bytes.subarray(at, end));
    // The memory of a chunk is used again.
    this.forwarded = Buffer.from(bytes.subarray(bytes.length - beginning, end));
    this.held = Buffer.from(bytes.subarray(end));
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}

/** The credentials of an account, as they can occur in a response. */
export class CredentialSpellings {
  private static readonly known = new WeakMap<readonly string[], CredentialSpellings>();
  private readonly all: readonly Spelling[];
  /** By byte: 1 if a proper beginning of a credential can end with it. */
  private readonly ends = new Uint8Array(256);

  constructor(credentials: readonly string[]) {
    const spellings = new Set(credentials.flatMap(spellingsOf));
    // A longer spelling can contain others.
    this.all = [...spellings]
      .sort((a, b) => b.length - a.length)
      .map((text) => new Spelling(Buffer.from(text, 'latin1')));
    for (const { bytes } of this.all) for (const byte of bytes.subarray(0, -1)) this.ends[byte] = 1;
  }

  /**
   * @param headers the flat list of an account's headers. The same list always has the same credentials
   * @param secrets of all accounts
   */
  static of(headers: readonly string[], secrets: readonly string[]): CredentialSpellings {
    let spellings = this.known.get(headers);
    if (spellings === undefined) {
      const sent = secrets.filter((secret) => headers.some((header) => header.includes(secret)));
      this.known.set(headers, (spellings = new CredentialSpellings(sent)));
    }
    return spellings;
  }

  /** Whether the bytes contain one of the spellings. */
  occurIn(bytes: Buffer): boolean {
    for (const spelling of this.all) if (spelling.indexIn(bytes, 0) !== -1) return true;
    return false;
  }

  /** The spellings in the bytes, in order and without overlaps. */
  *occurrencesIn(bytes: Buffer): Generator<{ readonly at: number; readonly end: number }> {
    // Each spelling is searched for again only from its last occurrence, so the time is linear.
    const next = this.all.map((spelling) => indexOrInfinity(spelling.indexIn(bytes, 0)));
    for (let from = 0; ;) {
      for (let i = 0; i < next.length; i++)
        if (next[i]! < from) next[i] = indexOrInfinity(this.all[i]!.indexIn(bytes, from));
      const at = Math.min(...next);
      if (at === Infinity) return;
      from = at + this.all[next.indexOf(at)]!.length;
      yield { at, end: from };
    }
  }

  /** Returns how many bytes at the end can be the beginning of a credential. */
  beginningAtEnd(bytes: Buffer, from: number): number {
    if (bytes.length === from || this.ends[bytes[bytes.length - 1]!] === 0) return 0;
    let longest = 0;
    for (const spelling of this.all) longest = Math.max(longest, overlap(bytes, from, spelling.bytes));
    return longest;
  }
}

/** As it is, as JSON text, and as JSON text with escaped slashes. Placeholders are too short to search for. */
function spellingsOf(credential: string): string[] {
  if (credential.length < SECRET_LENGTH_MIN) return [];
  const json = JSON.stringify(credential).slice(1, -1);
  return [credential, json, json.replaceAll('/', '\\/')].flatMap((text) => [
    text,
    Buffer.from(text).toString('latin1'),
  ]);
}

const indexOrInfinity = (at: number): number => (at === -1 ? Infinity : at);

/** Returns the length of the longest proper beginning of `spelling` with which the bytes end. */
function overlap(bytes: Buffer, from: number, spelling: Buffer): number {
  for (let length = Math.min(spelling.length - 1, bytes.length - from); length > 0; length--) {
    const at = bytes.length - length;
    if (bytes[at] === spelling[0] && bytes.compare(spelling, 0, length, at) === 0) return length;
  }
  return 0;
}

/** Bytes of JSON, from common to rare. All others are rarer. */
const COMMON_BYTES = Buffer.from('" e,:taoinsrlhdcu_m{}pfg01.w2y5b34-6789vk/xjqz');
const SEARCHED_BYTES_MIN = 8;

/**
 * A text that is searched for from its rarest byte on, because a native search stops at each byte that equals the first one. In 16 KB of
 * prose, this takes a tenth of the time.
 */
class Spelling {
  readonly length: number;
  private readonly start: Buffer;
  private readonly rest: Buffer;

  constructor(readonly bytes: Buffer) {
    this.length = bytes.length;
    const rarest = rarestByteOf(bytes);
    this.start = bytes.subarray(0, rarest);
    this.rest = bytes.subarray(rarest);
  }

  indexIn(bytes: Buffer, from: number): number {
    const { start, rest } = this;
    for (let at = bytes.indexOf(rest, from + start.length); at !== -1; at = bytes.indexOf(rest, at + 1)) {
      const first = at - start.length;
      if (start.length === 0 || bytes.compare(start, 0, start.length, first, at) === 0) return first;
    }
    return -1;
  }
}

function rarestByteOf(bytes: Buffer): number {
  let rarest = 0;
  let rank = 0;
  for (let at = 0; at <= bytes.length - SEARCHED_BYTES_MIN; at++) {
    const place = COMMON_BYTES.indexOf(bytes[at]!);
    const rankHere = place === -1 ? COMMON_BYTES.length : place;
    if (rankHere <= rank) continue;
    rarest = at;
    rank = rankHere;
  }
  return rarest;
}
