import { randomInt } from 'node:crypto';
import { BACKSLASH, COLON, COMMA, CURLY, OPEN_BRACE, QUOTE } from './bytes.js';
import { endOfString, hasBackslash } from './json-scan.js';

/** Measured V8 memory for an empty array or object, including its slot in the parent and temporary parser data. */
const CONTAINER_BYTES = 160;
/** The memory for a field of an object, mostly for a unique name. */
const FIELD_BYTES = 112;
const ENTRY_BYTES = 16;
/** Shorter bodies take at most a few megabytes and milliseconds, regardless of their content. */
const LIGHT_BYTES_MAX = 65_536;

/** An element takes up to 0.8 µs to parse and check. A conversation of a million tokens has about 50,000. */
export const ELEMENTS_MAX = 150_000;
/** A number takes an eighth of the time of an object or text. */
const NUMBERS_PER_ELEMENT = 8;
/** The first use of a name takes 2 µs. Lists of requests, tools and messages repeat the same names. */
export const NAMES_MAX = 10_000;
/** From 1,536 names on, V8 stores objects in a form that takes longer. Each field then counts once more. */
const FEW_NAMES_MAX = 1_500;

/** Longer names count as different. */
const HASHED_BYTES_MAX = 256;
const HASH_BITS = 20;
/** Unknown to clients, so that they cannot choose names with the same hash. */
const HASH_SEED = randomInt(2 ** 32);

/** The text after a string that does not end, or after an excess (`excessIn`), is not counted. */
export interface JsonStructure {
  readonly containers: number;
  /** Includes repeated names. */
  readonly fields: number;
  /** The number of commas. */
  readonly entries: number;
  /** The number of strings, including names. */
  readonly strings: number;
  /** The number of different field names, up to 2% too low. */
  readonly names: number;
  /** Whether a field name contains a backslash. */
  readonly hasEscapedNames: boolean;
}

/** Counts in one pass over the bytes, without parsing them. */
export function countStructure(body: Buffer, elementsMax = ELEMENTS_MAX, namesMax = NAMES_MAX): JsonStructure {
  const names = new NameCounter(body);
  let containers = 0;
  let fields = 0;
  let entries = 0;
  let strings = 0;
  /** The last string. Before a colon, it is a name. */
  let [start, end] = [0, 0];
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      start = at;
      end = endOfString(body, at);
      if (end === -1) break;
      strings++;
      at = end - 1;
    } else if (byte === COMMA) entries++;
    else if (byte === COLON) {
      fields++;
      names.add(start + 1, end - 1);
      if (names.count > namesMax || fields + containers > elementsMax) break;
    } else if ((byte | CURLY) === OPEN_BRACE) {
      containers++;
      if (fields + containers > elementsMax) break;
    }
  }
  names.clear();
  return { containers, fields, entries, strings, names: names.count, hasEscapedNames: names.hasEscapes };
}

/** Counts the fields only, including repeated names. Unlike `countStructure`, it allocates nothing. */
export function countFields(body: Buffer): number {
  let fields = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) break;
      at = end - 1;
    } else if (byte === COLON) fields++;
  }
  return fields;
}

/** One bit per hash. All texts share it, because an allocation of 128 KiB per text takes longer than a count. */
const seen = new Uint32Array(2 ** (HASH_BITS - 5));

class NameCounter {
  count = 0;
  hasEscapes = false;
  /** The words of `seen` that are not 0. */
  private readonly usedWords: number[] = [];

  constructor(private readonly body: Buffer) {}

  /** Adds the bytes between the quotes of a name. */
  add(start: number, end: number): void {
    if (end - start > HASHED_BYTES_MAX) {
      this.count++;
      this.hasEscapes ||= hasBackslash(this.body, start, end);
      return;
    }
    let hash = HASH_SEED;
    for (let at = start; at < end; at++) {
      const byte = this.body[at]!;
      if (byte === BACKSLASH) this.hasEscapes = true;
      hash = Math.imul(hash ^ byte, 0x01000193) + (hash >>> 15);
    }
    hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
    const bit = (hash ^ (hash >>> 15)) >>> (32 - HASH_BITS);
    const mask = 1 << (bit & 31);
    const word = bit >>> 5;
    if ((seen[word]! & mask) !== 0) return;
    if (seen[word] === 0) this.usedWords.push(word);
    seen[word]! |= mask;
    this.count++;
  }

  clear(): void {
    for (const word of this.usedWords) seen[word] = 0;
  }
}

/** Null for a short text, whose parsed form is small. */
export const structureOf = (body: Buffer, elementsMax = ELEMENTS_MAX): JsonStructure | null =>
  body.length <= LIGHT_BYTES_MAX ? null : countStructure(body, elementsMax);

/** Names what makes a body too expensive to parse and check, which would take seconds. Null if nothing does. */
export function excessIn(structure: JsonStructure | null, elementsMax = ELEMENTS_MAX): string | null {
  if (structure === null) return null;
  if (structure.names > NAMES_MAX) return `more than ${NAMES_MAX} different field names`;
  return elementsIn(structure) > elementsMax ? `more than ${elementsMax} arrays, objects, fields and texts` : null;
}

/** Texts that can be the values of fields are not counted again. */
function elementsIn({ containers, fields, entries, strings, names, hasEscapedNames }: JsonStructure): number {
  // Names with escapes are copied (`parseJson`).
  const perField = 1 + (names > FEW_NAMES_MAX ? 1 : 0) + (hasEscapedNames ? 1 : 0);
  const texts = Math.max(0, strings - 2 * fields);
  const numbers = Math.max(0, entries - fields - containers - texts);
  return containers + fields * perField + texts + numbers / NUMBERS_PER_ELEMENT;
}

/** Estimates the memory for a parsed JSON text, in addition to the text. */
export const parsedBytes = (structure: JsonStructure | null): number =>
  structure === null
    ? 0
    : structure.containers * CONTAINER_BYTES + structure.fields * FIELD_BYTES + structure.entries * ENTRY_BYTES;

/** Parsing more takes over a quarter of a second. A response of a provider never needs it. */
const RESPONSE_PARSED_BYTES_MAX = 64 * 1024 * 1024;
const RESPONSE_NAMES_MAX = 100_000;

/** Parses a provider's JSON. @throws SyntaxError if it is not JSON, RangeError if its values would take more than `parsedBytesMax` */
export function parseResponse(json: Buffer | string, parsedBytesMax = RESPONSE_PARSED_BYTES_MAX): unknown {
  if (json.length > LIGHT_BYTES_MAX) {
    const structure = countStructure(Buffer.isBuffer(json) ? json : Buffer.from(json), Infinity, RESPONSE_NAMES_MAX);
    if (structure.names > RESPONSE_NAMES_MAX || parsedBytes(structure) > parsedBytesMax)
      throw new RangeError('The JSON contains too many values');
  }
  return JSON.parse(json.toString());
}
