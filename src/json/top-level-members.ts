import { endOfString, stringAt } from './json-string.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
// Brackets and braces differ in this bit only.
const CURLY = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Where one member of the outermost object stands: `body.subarray(start, end)` is `"name": value`, blanks around it left out. */
export interface TopLevelMember {
  /** As a parser reads it, escapes undone. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The members of the outermost object, in order, repeats included. `body` is the text of a JSON object that `JSON.parse`
 * has taken; of anything else nothing is promised. Nothing is parsed but the names.
 */
export function* topLevelMembers(body: Buffer): Generator<TopLevelMember> {
  let depth = 0;
  let name: string | null = null;
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]!;
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end === -1) return;
      if (depth === 1 && name === null) {
        name = stringAt(body, at, end);
        start = at;
      }
      at = end - 1;
    } else if ((byte | CURLY) === OPEN) depth++;
    else if ((byte | CURLY) === CLOSE) depth--;
    if (name === null || !(depth === 0 || (depth === 1 && byte === COMMA))) continue;
    yield { name, start, end: withoutBlanks(body, at) };
    name = null;
  }
}

/** `end` moved back to behind the last byte that is no blank. */
function withoutBlanks(body: Buffer, end: number): number {
  while (BLANK.has(body[end - 1]!)) end--;
  return end;
}
