import { SECRET_LENGTH_MIN } from '../../platform/config/secret-texts.rules.js';

/** A longer beginning of a credential at the end of a chunk is held until the next chunk. A shorter one is not secret. */
const HELD_BYTES_MIN = 8;
const NOTHING = Buffer.alloc(0);

/** The credentials of an account, as they can occur in a response. */
export class CredentialSpellings {
  private static readonly known = new WeakMap<readonly string[], CredentialSpellings>();
  readonly all: readonly Buffer[];
  /** By byte: 1 if a proper beginning of a credential can end with it. */
  private readonly ends = new Uint8Array(256);

  constructor(credentials: readonly string[]) {
    const spellings = new Set(credentials.flatMap(spellingsOf));
    // The longest is first, because it can contain others.
    this.all = [...spellings].sort((a, b) => b.length - a.length).map((text) => Buffer.from(text, 'latin1'));
    for (const spelling of this.all) for (const byte of spelling.subarray(0, -1)) this.ends[byte] = 1;
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

  occurIn(bytes: Buffer): boolean {
    for (const spelling of this.all) if (bytes.includes(spelling)) return true;
    return false;
  }

  /** Yields all occurrences in order. They do not overlap. */
  *occurrencesIn(bytes: Buffer): Generator<{ readonly at: number; readonly end: number }> {
    // Each spelling is searched for again only from its last occurrence, so the time is linear.
    const next = this.all.map((spelling) => indexIn(bytes, spelling, 0));
    for (let from = 0; ;) {
      for (let i = 0; i < next.length; i++) if (next[i]! < from) next[i] = indexIn(bytes, this.all[i]!, from);
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
    for (const spelling of this.all) longest = Math.max(longest, overlap(bytes, from, spelling));
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

function indexIn(bytes: Buffer, spelling: Buffer, from: number): number {
  const at = bytes.indexOf(spelling, from);
  return at === -1 ? Infinity : at;
}

function overlap(bytes: Buffer, from: number, spelling: Buffer): number {
  for (let length = Math.min(spelling.length - 1, bytes.length - from); length > 0; length--) {
    const at = bytes.length - length;
    if (bytes[at] === spelling[0] && bytes.compare(spelling, 0, length, at) === 0) return length;
  }
  return 0;
}

/**
 * Replaces an account's credentials in a response that arrives in chunks. A chunk without any part of one is passed as it is, after one
 * native search per credential.
 */
export class CredentialSearch {
  /** The end of the last chunk, if it can be the beginning of a credential: forwarded, or held. */
  private forwarded = NOTHING;
  private held = NOTHING;

  constructor(
    private readonly spellings: CredentialSpellings,
    private readonly mark: (length: number) => string,
  ) {}

  /** Returns the bytes to forward now, possibly none. */
  push(chunk: Buffer): Buffer {
    const { spellings, forwarded, held } = this;
    const continues = forwarded.length + held.length > 0;
    if (!continues && !spellings.occurIn(chunk) && spellings.beginningAtEnd(chunk, 0) === 0) return chunk;
    this.forwarded = this.held = NOTHING;
    return this.redact(continues ? Buffer.concat([forwarded, held, chunk]) : chunk, forwarded.length);
  }

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
      pieces.push(bytes.subarray(at, start), Buffer.from(this.mark(found.end - start)));
      at = searched = found.end;
    }
    const beginning = this.spellings.beginningAtEnd(bytes, searched);
    const end = beginning < HELD_BYTES_MIN ? bytes.length : Math.max(at, bytes.length - beginning);
    pieces.push(bytes.subarray(at, end));
    // Copied, because the memory of a chunk is used again.
    this.forwarded = Buffer.from(bytes.subarray(bytes.length - beginning, end));
    this.held = Buffer.from(bytes.subarray(end));
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}
