import { endOfString } from '../../validation/json-string.js';

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

/**
 * About how many bytes a JSON text takes once it is parsed, beside its own: 0 for a short one. Ten megabytes of `[],` take
 * half a gigabyte. One look at what stands outside of strings, so texts cost next to nothing.
 */
export function parsedWeight(body: Buffer): number {
  if (body.length <= LIGHT_BYTES_MAX) return 0;
  let containers = 0;
  let named = 0;
  let entries = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) break;
      at = end - 1;
    } else if (byte === COMMA) entries++;
    else if (byte === COLON) named++;
    else if ((byte | CURLY) === OPEN_BRACE) containers++;
  }
  return containers * CONTAINER_BYTES + named * NAMED_BYTES + entries * ENTRY_BYTES;
}
