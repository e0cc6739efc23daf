import { endOfString } from './json-string.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
// Brackets and braces differ in this bit only.
const CURLY = 0x20;

/** What V8 was seen to need for an empty list or object, its place in the one around it and the parser's own work included. */
const CONTAINER_BYTES = 160;
/** A member of an object: most of it a name that no other has. */
const NAMED_BYTES = 112;
const ENTRY_BYTES = 16;
/** Shorter bodies make no more than a few megabytes, whatever is in them. */
const LIGHT_BYTES_MAX = 65_536;

/** Counts of a JSON text, strings left out. */
interface JsonStructure {
  readonly containers: number;
  readonly members: number;
  readonly entries: number;
}

/**
 * About how many bytes a JSON text takes once it is parsed, in addition to its own: 0 for a short one. Ten megabytes of `[],`
 * take half a gigabyte.
 */
export const parsedSize = (body: Buffer): number => parsedBytes(structureOf(body));

/** @param structure null: of a short text, which weighs nothing */
export const parsedBytes = (structure: JsonStructure | null): number =>
  structure === null
    ? 0
    : structure.containers * CONTAINER_BYTES + structure.members * NAMED_BYTES + structure.entries * ENTRY_BYTES;

/** The structure of a text; null: the text is short. Native searches skip its strings, so they cost next to nothing. */
export function structureOf(body: Buffer): JsonStructure | null {
  if (body.length <= LIGHT_BYTES_MAX) return null;
  let containers = 0;
  let members = 0;
  let entries = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) break;
      at = end - 1;
    } else if (byte === COMMA) entries++;
    else if (byte === COLON) members++;
    else if ((byte | CURLY) === OPEN_BRACE) containers++;
  }
  return { containers, members, entries };
}
