import { invalidValue } from '../errors/error-factories.js';
import { CLOSE_BRACE, COMMA, CURLY, OPEN_BRACE, QUOTE } from './bytes.js';
import { endOfString, isSpace, stringAt } from './json-scan.js';

/** `body.subarray(start, end)` is `"name": value`, without spaces around it. */
export interface TopLevelField {
  /** With escapes decoded. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** No client repeats a field more often by mistake. */
const CUTS_MAX = 64;

/** Yields the top-level fields in order, including repeated ones. `JSON.parse` must have accepted `body`. */
export function* topLevelFields(body: Buffer): Generator<TopLevelField> {
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
    } else if ((byte | CURLY) === OPEN_BRACE) depth++;
    else if ((byte | CURLY) === CLOSE_BRACE) depth--;
    if (name === null || !(depth === 0 || (depth === 1 && byte === COMMA))) continue;
    yield { name, start, end: withoutSpaces(body, at) };
    name = null;
  }
}

function withoutSpaces(body: Buffer, end: number): number {
  while (isSpace(body[end - 1]!)) end--;
  return end;
}

interface Cut {
  readonly field: TopLevelField;
  readonly before: TopLevelField | null;
}

/**
 * Removes every occurrence of `names`. All other bytes stay unchanged (D6). `JSON.parse` must have accepted `body`.
 * @throws GatewayError `invalid_value` if the fields occur more than 64 times in total. Each occurrence costs memory
 */
export function removeTopLevelFields(body: Buffer, names: readonly string[]): Buffer {
  const cuts: Cut[] = [];
  let lastKept: TopLevelField | null = null;
  let before: TopLevelField | null = null;
  for (const field of topLevelFields(body)) {
    if (!names.includes(field.name)) lastKept = field;
    else if (cuts.push({ field, before }) > CUTS_MAX) throw invalidValue(field.name, 'specified only once');
    before = field;
  }
  const pieces: Buffer[] = [];
  let from = 0;
  const cut = (start: number, end: number) => {
    pieces.push(body.subarray(from, start));
    from = end;
  };
  for (const { field, before } of cuts) {
    // Removes the comma after the field, or the comma before it if only removed fields follow.
    const isFollowedByKept = lastKept !== null && lastKept.start > field.start;
    const comma = isFollowedByKept ? commaAfter(body, field) : before && commaAfter(body, before);
    if (comma !== null && comma < field.start) cut(comma, comma + 1);
    cut(field.start, field.end);
    if (comma !== null && comma > field.start) cut(comma, comma + 1);
  }
  if (pieces.length === 0) return body;
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

const commaAfter = (body: Buffer, { end }: TopLevelField): number => body.indexOf(COMMA, end);
